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
        // One that was over before it started has not begun an interval.
        guard operation.isExecuting else { return }
        let id = signposter.id(of: operation)
        os_signpost(.end, log: signposter.log, name: "operation", signpostID: id)
      })
  }

  private let signposter = Signposter()

  private struct Signposter: @unchecked Sendable {
    // Sendable: signposters may be used from any thread; older SDKs do not say so.
    let log = OSLog(subsystem: "RowOperations", category: "AsyncOperation")

    func id(of operation: AsyncOperation) -> OSSignpostID {
      OSSignpostID(log: log, object: operation)
    }
  }
#endif
