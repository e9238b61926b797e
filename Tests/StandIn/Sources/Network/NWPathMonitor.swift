import Dispatch

/// Reports the paths that a test sends, in place of the system's.
public final class NWPathMonitor: @unchecked Sendable {
  // Sendable: tests send paths on the main thread, as the adapters expect of their queues.

  /// The monitors that are started, for tests to send paths to.
  package private(set) nonisolated(unsafe) static var started: [NWPathMonitor] = []

  public var pathUpdateHandler: (@Sendable (NWPath) -> Void)?

  public init() {}

  public func start(queue: DispatchQueue) { Self.started.append(self) }

  package static func send(_ path: NWPath) {
    for monitor in started { monitor.pathUpdateHandler?(path) }
  }
}

public struct NWPath: Sendable {
  public enum Status: Sendable {
    case satisfied
    case _unsatisfied
  }

  public let status: Status
  public let isConstrained: Bool

  package init(_ status: Status = .satisfied, isConstrained: Bool = false) {
    self.status = status
    self.isConstrained = isConstrained
  }
}
