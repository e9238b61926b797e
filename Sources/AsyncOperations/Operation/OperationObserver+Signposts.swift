#if canImport(os)
  import os

  extension OperationObserver {
    /// Shows an operation's life in Instruments.
    static let signposts = OperationObserver(
      started: { operation in
        let name = operation.name ?? "\(type(of: operation))"
        let id = signposter.id(of: operation)
        os_signpost(
          .begin, log: signposter.log, name: "operation", signpostID: id, "%{public}s", name)
      },
      cancelled: { operation in
        let id = signposter.id(of: operation)
        os_signpost(.event, log: signposter.log, name: "cancelled", signpostID: id)
      },
      willFinish: { operation in
        // An operation that was over before it started has begun no interval.
        guard operation.isExecuting else { return }
        let id = signposter.id(of: operation)
        os_signpost(.end, log: signposter.log, name: "operation", signpostID: id)
      })
  }

  private let signposter = Signposter()

  private struct Signposter: Sendable {
    private let safeLog = ThreadSafe(
      OSLog(subsystem: "RowOperations", category: "AsyncOperation"))

    var log: OSLog { safeLog.object }

    func id(of operation: AsyncOperation) -> OSSignpostID {
      OSSignpostID(log: log, object: operation)
    }
  }
#endif
