import Foundation

@testable import AsyncOperations
@testable import TestSupport

/// An operation that stops wherever another thread may interleave, and keeps a chronicle.
protocol Explorable: Operation {
  var record: ExplorationRecord { get }
  /// - Returns: Whether this call decided.
  func end() -> Bool
  /// - Returns: Whether this call decided.
  func timeOut() -> Bool
}

/// The observations of an operation in one run.
final class ExplorationRecord: Sendable {
  let stops: Stops
  let bodyFinishes: Bool
  private let chronicle = Box(Chronicle())
  private let found = Box<[String]>([])

  init(stops: Stops, bodyFinishes: Bool) {
    self.stops = stops
    self.bodyFinishes = bodyFinishes
  }

  var violations: [String] { found.value }

  func record(_ violation: String?) {
    if let violation { found.append(violation) }
  }

  func record(_ take: (inout Chronicle) -> String?) { record(chronicle.change(take)) }

  // MARK: Calls from the operation

  /// Wraps an emission of the operation.
  func emit(_ key: String, of operation: Operation, _ emission: () -> Void) {
    stops.stop()
    if let kind = Emission(rawValue: key) { record { $0.emitted(kind, operation.reading) } }
    emission()
    stops.stop()
  }

  func call(_ callback: Callback, of operation: Operation) {
    stops.stop()
    record { $0.began(callback, operation.reading) }
    stops.stop()
    chronicle.change { $0.returned(callback) }
  }

  /// Enters the body; it is claimed earlier, so events in between count as later.
  func body(of operation: some Explorable) {
    record { $0.bodyEntered(Reading()) }
    stops.stop()
    if bodyFinishes { end(operation) }
  }

  func end(_ operation: some Explorable) {
    if operation.end() { record { $0.decided() } }
  }

  func violationAtRest(of operation: Operation, wasStarted: Bool) -> String? {
    chronicle.value.violationAtRest(
      operation.reading, wasStarted: wasStarted, hasObservers: operation is AsyncOperation)
  }
}

/// The library's own operation under exploration.
final class ExploredOperation: ResultOperation<Int>, Explorable, @unchecked Sendable {
  let record: ExplorationRecord

  init(_ record: ExplorationRecord) {
    self.record = record
    super.init()
    addObserver(
      OperationObserver(
        started: { record.call(.started, of: $0) },
        cancelled: { record.call(.cancelled, of: $0) },
        willFinish: { record.call(.willFinish, of: $0) }))
    onResult { [unowned self] _ in record.call(.result, of: self) }
  }

  override func main() { record.body(of: self) }

  override func didCancel() { record.call(.didCancel, of: self) }

  override func emit(_ key: String) { record.emit(key, of: self) { super.emit(key) } }

  func end() -> Bool { finish(with: .success(1)) }

  func timeOut() -> Bool { cancel(throwing: CancellationError()) }
}

/// A call that a thread makes on an operation.
enum Deed: String, CaseIterable, CustomStringConvertible {
  case start, cancel, timeOut, finish, observe

  var description: String { rawValue }

  func callAsFunction(_ operation: some Explorable) {
    let record = operation.record
    switch self {
    case .start: operation.start()
    case .cancel: operation.cancel()
    case .timeOut: if operation.timeOut() { record.record { $0.decided() } }
    case .finish: record.end(operation)
    case .observe:
      var last = Reading()
      for _ in 0..<3 {
        let reading = operation.reading
        record.record(Chronicle.violation(reading: reading, after: last))
        last = reading
        record.stops.stop()
      }
    }
  }
}

/// Runs deeds concurrently on one operation, in every order of their steps.
struct ShellExplorer {
  private(set) var violations: [String: [Int]] = [:]
  private(set) var runCount = 0

  /// - Parameter before: The deeds that one thread has done to the operation before.
  init<Subject: Explorable>(
    _ deeds: [Deed], after before: [Deed] = [], bodyFinishes: Bool = false,
    make: @Sendable (ExplorationRecord) -> Subject
  ) {
    let stops = Stops(actorCount: deeds.count)
    defer { stops.end() }
    var orders = Orders()
    repeat {
      let record = ExplorationRecord(stops: stops, bodyFinishes: bodyFinishes)
      let subject = make(record)
      for deed in before { deed(subject) }
      let jobs = deeds.map { deed in { @Sendable in deed(subject) } }
      stops.run(jobs) { orders.choose($0) }
      let wasStarted = before.contains(.start) || deeds.contains(.start)
      record.record(record.violationAtRest(of: subject, wasStarted: wasStarted))
      for violation in record.violations where violations[violation] == nil {
        violations[violation] = orders.order
      }
    } while orders.next()
    runCount = orders.runCount
  }
}
