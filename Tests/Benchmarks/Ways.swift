import Foundation
import RowOperations

extension Comparison {
  /// The ways to run many pieces of asynchronous work, in nanoseconds of all threads for each.
  static func ways(_ effort: Effort) async -> String {
    let ways = Ways(count: effort.size(1_000))
    let names = [
      "a child task of a task group", "a task", "a TaskOperation in a queue",
      "a TaskOperation in a group", "a call of an actor", "withPermit",
      "an exclusive TaskOperation", "a child task with a deadline of sleep",
      "a TaskOperation with a timeout",
    ]
    var costs = names.map { _ in [Double]() }
    for _ in 0...effort.repetitions(15) {
      let bodies: [@Sendable () async -> Void] = [
        ways.childTasks, ways.tasks, ways.operations, ways.children, ways.actorCalls,
        ways.permits, ways.exclusive, ways.deadlines, ways.timeouts,
      ]
      for (index, body) in bodies.enumerated() {
        costs[index].append(await cost { await body() }.process / Double(ways.count))
      }
    }
    let lines = zip(names, costs).map { name, costs in
      // The first round was the warm-up.
      [name, String(Int(Sample(Array(costs.dropFirst())).value))]
    }
    return alignedTable(of: [["a piece of work, ns", "all threads"]] + lines) + "\n"
  }
}

/// Many pieces of work that do nothing but hop.
private struct Ways: Sendable {
  private actor Counter {
    var count = 0

    func add() { count += 1 }
  }

  let count: Int
  private let queue = OperationQueue()
  private let category = ExclusionCategory("ways")

  init(count: Int) { self.count = count }

  @Sendable func childTasks() async {
    await withTaskGroup(of: Int.self) { group in
      for number in 0..<count { group.addTask { number } }
      for await _ in group {}
    }
  }

  @Sendable func tasks() async {
    let tasks = (0..<count).map { number in Task { number } }
    for task in tasks { _ = await task.value }
  }

  @Sendable func operations() async {
    await run((0..<count).map { number in TaskOperation { number } })
  }

  @Sendable func children() async {
    let children = (0..<count).map { number in TaskOperation { number } }
    _ = try? await queue.value(of: GroupOperation<Int>(children))
  }

  @Sendable func actorCalls() async {
    let counter = Counter()
    for _ in 0..<count { await counter.add() }
  }

  @Sendable func permits() async {
    for _ in 0..<count { try? await category.withPermit {} }
  }

  @Sendable func exclusive() async {
    await run((0..<count).map { number in TaskOperation { number }.exclusive(in: category) })
  }

  /// The usual form: a child task beside the work sleeps, and is cancelled when the work is over.
  @Sendable func deadlines() async {
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<count {
        group.addTask {
          await withTaskGroup(of: Void.self) { inner in
            inner.addTask {}
            inner.addTask { try? await Task.sleep(for: .seconds(60)) }
            await inner.next()
            inner.cancelAll()
          }
        }
      }
    }
  }

  @Sendable func timeouts() async {
    await run((0..<count).map { number in TaskOperation { number }.timeout(after: .seconds(60)) })
  }

  private func run(_ operations: [ResultOperation<Int>]) async {
    queue.enqueue(operations)
    for operation in operations { _ = try? await operation.value }
  }
}
