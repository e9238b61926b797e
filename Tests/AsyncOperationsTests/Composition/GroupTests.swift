import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("GroupOperation", .timeLimit(.minutes(10)))
struct GroupTests {
  private let queue = OperationQueue(width: 1)

  @Test("The result has the values of the children in the order of adding", arguments: [1, 4, -1])
  func values(width: Int) async throws {
    let group = GroupOperation<Int>(
      width: width, (0..<50).map { number in TaskOperation { number } })
    group.add(TaskOperation { "no number" })
    #expect(try await queue.value(of: group) == Array(0..<50))
  }

  @Test(
    "Children respect their dependencies and the width; one of 0 or less than -1 is 1",
    arguments: [3, 1, 0, -2, Int.min])
  func dependencies(width: Int) async throws {
    let (order, running, most) = (Box<[Int]>([]), Box(), Box())
    let children = (0..<20).map { number in
      TaskOperation {
        let count = running.add()
        most.change { $0 = max($0, count) }
        await Task.yield()
        order.append(number)
        running.add(-1)
      }
    }
    for index in children.indices.dropLast() where index % 2 == 0 {
      children[index].addDependency(children[index + 1])
    }
    _ = try await queue.value(of: GroupOperation<Void>(width: width, children))
    let places = order.value
    for number in stride(from: 0, to: 18, by: 2) {
      let (later, earlier) = (places.firstIndex(of: number), places.firstIndex(of: number + 1))
      #expect(try #require(later) > #require(earlier))
    }
    #expect(most.value <= max(width, 1))
  }

  @Test("A group waits for children that its running children add")
  func addingFromInside() async throws {
    let group = GroupOperation<Int>(width: 1)
    @Sendable func child(_ number: Int) -> TaskOperation<Int> {
      TaskOperation { [weak group] in
        if number < 100 { #expect(group?.add(child(number + 1)) == true) }
        return number
      }
    }
    group.add(child(0))
    #expect(try await queue.value(of: group) == Array(0...100))
  }

  @Test("With failures: .all every child runs, and the error has all failures in order")
  func allFailures() async throws {
    let ran = Box()
    let group = GroupOperation<Int>(
      width: 2, failures: .all,
      (0..<6).map { number in
        TaskOperation {
          ran.add()
          if number % 2 == 1 { throw Failure(number: number) }
          return number
        }
      })
    queue.enqueue(group)
    await group.ended()
    let error = try #require(group.error as? GroupError)
    #expect(error.errors.map { ($0 as? Failure)?.number } == [1, 3, 5])
    #expect("\(error)".hasPrefix("Of the operations of the group, 3 failed. The first error: "))
    #expect(error.localizedDescription == error.description)
    let one = GroupError(errors: [OperationError(code: .timedOut, description: "It was slow.")])
    #expect(one.localizedDescription.hasSuffix("group, 1 failed. The first error: It was slow."))
    #expect(ran.value == 6)
  }

  @Test("The error of a group quotes an error without a description as it prints")
  func undescribedFailure() {
    enum Refusal: Error { case full(Int) }
    let error = GroupError(errors: [Refusal.full(3)])
    #expect(error.localizedDescription.hasSuffix("group, 1 failed. The first error: full(3)"))
    let system = GroupError(errors: [URLError(.badURL)])
    #expect(system.description.hasSuffix(URLError(.badURL).localizedDescription))
    let other = NSError(
      domain: "a", code: 1, userInfo: [NSLocalizedDescriptionKey: "It is full."])
    #expect(GroupError(errors: [other]).description.hasSuffix("The first error: It is full."))
  }

  @Test("A failing child with another type of value fails the group as well")
  func failureOfAnotherType() async {
    let group = GroupOperation<Int>([TaskOperation<String> { throw Failure() }])
    queue.enqueue(group)
    await group.ended()
    #expect(group.error is Failure)
  }

  @Test("20,000 groups inside each other begin, end, are cancelled, explained, raised and dropped")
  func deeplyNested() async {
    await #expect(processExitsWith: .success) {
      Watchdog.start(Watchdog.patient)
      func nested(_ innermost: Operation) -> (outer: GroupOperation<Int>, ends: Box<Int>) {
        let ends = Box()
        var group = GroupOperation<Int>([innermost])
        for _ in 1..<20_000 {
          let outer = GroupOperation<Int>([group])
          group.addObserver(OperationObserver(didFinish: { _ in ends.add() }))
          group = outer
        }
        return (group, ends)
      }
      // Never run: only the release of the outermost group.
      do { _ = nested(QuickOperation()) }
      for isCancelled in [false, true] {
        let (child, queue) = (Sleeper(), OperationQueue())
        let (outer, ends) = nested(child)
        let waiting = Task(priority: .high) { _ = try? await outer.value }
        queue.enqueue(outer)
        await until { child.isExecuting }
        // Eight of them, and no more.
        let explanation = queue.explain(outer)
        #expect(explanation.components(separatedBy: "unfinished children").count == 9)
        #expect(explanation.hasSuffix("; and so on."))
        if isCancelled { outer.cancel() } else { child.finish(with: .success(1)) }
        await waiting.value
        #expect(outer.isFinished && ends.value == 19_999 && child.isCancelled == isCancelled)
      }
    }
  }

  @Test("A group takes system operations as children")
  func systemsOwn() async throws {
    let order = Box<[Int]>([])
    let (first, second) = (BlockOperation { order.append(1) }, BlockOperation { order.append(2) })
    second.addDependency(first)
    let group = GroupOperation<Int>(width: 1, [second, first])
    group.add(TaskOperation { 3 })
    #expect(try await queue.value(of: group) == [3])
    #expect(order.value == [1, 2] && group.progress.fractionCompleted == 1)
  }

  @Test("A group that is started by hand lives until its children have ended")
  func dropped() async {
    let (mayEnd, ended) = (Gate(), Gate())
    do {
      let group = GroupOperation<Int>([
        TaskOperation {
          await mayEnd.opened(); return 1
        }
      ])
      group.onResult { _ in ended.open() }
      group.start()
    }
    mayEnd.open()
    await ended.opened()
  }

  @Test("A child runs with its own quality of service, or with that of its group")
  func qualityOfService() async throws {
    let group = GroupOperation<Int>([
      TaskOperation { Int(Task.basePriority?.rawValue ?? 0) },
      GroupOperation<Int>([]),
    ])
    let own = TaskOperation { Int(Task.basePriority?.rawValue ?? 0) }
    own.qualityOfService = .userInitiated
    group.add(own)
    group.qualityOfService = .utility
    queue.enqueue(group)
    await queue.drained()
    #expect(
      try group.result?.get() == [TaskPriority.utility, .userInitiated].map { Int($0.rawValue) })
  }
}
