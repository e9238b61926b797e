import Foundation
import RowOperations

@testable import OperationComposition

/// A value that several threads use in a test.
typealias Box<Value> = Protected<Value>

extension Protected {
  var value: Value { withLock { $0 } }

  func append<Entry>(_ entry: Entry) where Value == [Entry] { withLock { $0.append(entry) } }
}

extension Protected where Value == Int {
  convenience init() { self.init(0) }

  @discardableResult
  func add(_ amount: Int = 1) -> Int {
    withLock { value in
      value += amount
      return value
    }
  }
}

/// Opens once; whoever waits for it goes on then.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [@Sendable () -> Void] = []
  }

  private let state = Protected(State())

  var isOpen: Bool { state.withLock { $0.isOpen } }

  func open() {
    let waiting = state.exchange(State(isOpen: true)).waiting
    for body in waiting { body() }
  }

  func whenOpen(_ body: @escaping @Sendable () -> Void) {
    let isOpen = state.withLock { state in
      if !state.isOpen { state.waiting.append(body) }
      return state.isOpen
    }
    if isOpen { body() }
  }

  /// Waits, also when the task is cancelled.
  func opened() async {
    await withCheckedContinuation { continuation in whenOpen { continuation.resume() } }
    // Thread Sanitizer does not see through the continuation; this it sees.
    _ = isOpen
  }

  /// Waits, and gives up when the task is cancelled.
  func openedOrCancelled() async throws {
    let either = Gate()
    whenOpen { either.open() }
    await withTaskCancellationHandler {
      await either.opened()
    } onCancel: {
      either.open()
    }
    try Task.checkCancellation()
  }
}

/// Opens a gate when it is gone.
final class Token: Sendable {
  private let gate: Gate

  init(_ gate: Gate) { self.gate = gate }

  deinit { gate.open() }
}

/// Runs `body` on a plain thread, where it may block.
@discardableResult
func onThread<Output: Sendable>(_ body: @escaping @Sendable () -> Output) async -> Output {
  let output = Box<Output?>(nil)
  let done = Gate()
  Thread.detachNewThread {
    output.exchange(body())
    done.open()
  }
  await done.opened()
  guard let output = output.value else { fatalError("The thread has not run.") }
  return output
}

/// Runs all at once, each on a plain thread.
func race(_ bodies: (@Sendable () -> Void)...) async {
  await withTaskGroup(of: Void.self) { group in
    for body in bodies { group.addTask { await onThread(body) } }
  }
}

extension OperationQueue {
  convenience init(width: Int) {
    self.init()
    maxConcurrentOperationCount = width
  }

  /// Waits until the queue is empty, without keeping a thread that runs tasks.
  func drained() async { await onThread { self.waitUntilAllOperationsAreFinished() } }
}

extension AsyncOperation {
  /// Opens when the operation is about to finish.
  var ending: Gate {
    let gate = Gate()
    addObserver(OperationObserver(willFinish: { _ in gate.open() }))
    return gate
  }
}

extension ResultOperation {
  var error: (any Error)? {
    guard case .failure(let error) = result else { return nil }
    return error
  }

  var isTimedOut: Bool { (error as? RowOperationsError)?.code == .timedOut }

  /// Waits for the end, whatever it is, and however this task fares.
  func ended() async { _ = try? await value }
}

struct Failure: Error, Hashable {
  var number = 0
}

/// What is reported in a process of a test's own: the hook is the process's.
final class Reports: Sendable {
  private let reported = Box<[OperationMisuse.Code]>([])

  init() { OperationDiagnostics.onMisuse = { [reported] in reported.append($0.code) } }

  var codes: [OperationMisuse.Code] { reported.value }
}

/// Waits until something holds; a time limit of the test's is what fails.
func until(_ holds: () -> Bool) async { while !holds() { await Task.yield() } }

/// How hard the stress suites try: `STRESS=low` (the default), `medium` or `high`.
enum Stress {
  static let name = ProcessInfo.processInfo.environment["STRESS"] ?? "low"
  static let rounds = ["medium": 40, "high": 800][name] ?? 2
  static let seed: UInt64 = {
    let given = ProcessInfo.processInfo.environment["STRESS_SEED"].flatMap { UInt64($0) }
    let seed = given ?? UInt64.random(in: 0..<1_000_000_000)
    print("STRESS=\(name) STRESS_SEED=\(seed)")
    return seed
  }()
}
