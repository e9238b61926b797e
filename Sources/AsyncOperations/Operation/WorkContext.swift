/// Something whose code a task runs: an operation, or a permit that the task has.
///
/// The innermost is a task-local value. A turn belongs to a context, and so do the waits of the
/// code.
final class WorkContext: Sendable {
  static var current: WorkContext? { local.get() }

  /// Without its macro, which libraries before 6.0 lack.
  private static let local = TaskLocal<WorkContext?>(wrappedValue: nil)

  private struct WeakOperation: Sendable {
    weak var operation: AsyncOperation?
  }

  /// `nil` for a task with a permit.
  private let owner: WeakOperation?
  private let turn: (any Turn)?
  /// The context around it, such as that of a group around a child's.
  private let outer: WorkContext?

  init(_ operation: AsyncOperation, inside outer: WorkContext?, turn: (any Turn)? = nil) {
    owner = WeakOperation(operation: operation)
    self.turn = turn
    self.outer = outer
  }

  init(_ task: Permit) {
    owner = nil
    turn = task
    outer = Self.current
  }

  // MARK: Turns

  func isOf(_ turn: any Turn) -> Bool { self.turn === turn }

  var hasTurn: Bool { turn?.isHeld == true }

  /// From the innermost one on.
  private var chain: some Sequence<WorkContext> { sequence(first: self) { $0.outer } }

  /// From the outermost turn on.
  var held: [ExclusionCategory] {
    chain.reversed().filter(\.hasTurn).flatMap { $0.turn?.categories ?? [] }
  }

  // MARK: Waits

  /// The permits of the task, and the operation whose body it runs.
  private var waiters: [any Waiter] {
    var waiters: [any Waiter] = []
    for context in chain {
      if let task = context.turn as? Permit { waiters.append(task) }
      guard let owner = context.owner else { continue }
      if let operation = owner.operation { waiters.append(operation) }
      break
    }
    return waiters
  }

  func run<Output>(
    isolation: isolated (any Actor)?, _ body: () async throws -> Output
  ) async rethrows -> Output {
    #if !canImport(Darwin) || canImport(_Concurrency, _version: 6.0)
      try await Self.local.withValue(self, operation: body, isolation: isolation)
    #else
      try await Self.local.withValue(self, operation: body)
    #endif
  }

  /// Notes a wait of the current task while `body` runs, and looks for a circle.
  static func waiting<Output>(
    isolation: isolated (any Actor)?,
    for node: any WaitNode, _ body: () async throws -> Output
  ) async rethrows -> Output {
    guard let waiters = current?.waiters, !waiters.isEmpty else { return try await body() }
    // It may get in line for a turn of this context later.
    (node as? AsyncOperation)?.gainDependent()
    let numbers = waiters.map { $0.withWaits { $0.began(for: node) } }
    defer {
      for (waiter, number) in zip(waiters, numbers) { _ = waiter.withWaits { $0.ended(number) } }
    }
    for waiter in waiters { WaitGraph.look(from: waiter) }
    return try await body()
  }
}

protocol Turn: AnyObject, Sendable {
  var isHeld: Bool { get }
  var categories: [ExclusionCategory] { get }
}

extension [ExclusionCategory] {
  var names: String { map { "'\($0.name)'" }.joined(separator: " and ") }
}

struct Waits: Sendable {
  private var nodes: [UInt64: any WaitNode] = [:]
  private var last: UInt64 = 0

  var all: [any WaitNode] { nodes.sorted { $0.key < $1.key }.map(\.value) }

  mutating func began(for node: any WaitNode) -> UInt64 {
    last += 1
    nodes[last] = node
    return last
  }

  /// - Returns: The node, for release outside the lock.
  mutating func ended(_ number: UInt64) -> (any WaitNode)? { nodes.removeValue(forKey: number) }
}

protocol Waiter: WaitNode {
  func withWaits<Output>(_ body: (inout Waits) -> Output) -> Output
}

extension AsyncOperation: Waiter {
  func withWaits<Output>(_ body: (inout Waits) -> Output) -> Output {
    guarded.withLock { body(&$0.waits) }
  }
}
