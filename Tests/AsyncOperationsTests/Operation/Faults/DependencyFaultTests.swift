import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

#if !canImport(ObjectiveC)
  @Suite("Dependencies (faults 12, 20 and 21)", .timeLimit(.minutes(10)))
  struct DependencyFaultTests {
    // MARK: Removing (12)

    @Test("Fault 12: a system operation stays unready after the removal of a dependency")
    func systemsRemoval() async {
      let operation = BlockOperation {}
      let dependency = BlockOperation {}
      operation.addDependency(dependency)
      operation.removeDependency(dependency)
      await onThread { dependency.start() }
      #expect(operation.dependencies == [] && !operation.isReady)
    }

    @Test(
      "Fault 12: an unfinished dependency can be removed before or after enqueue",
      arguments: Kind.ours, [false, true])
    func unfinishedGoes(kind: Kind, isEnqueued: Bool) async throws {
      let operation = try #require(kind.make() as? AsyncOperation)
      let (dependency, other) = (OpenOperation(), OpenOperation())
      let misuses = Misuses(of: operation)
      let queue = OperationQueue(width: 3)
      operation.addDependency(dependency)
      operation.addDependency(other)
      if isEnqueued { queue.enqueue(operation) }
      operation.removeDependency(dependency)
      #expect(operation.dependencies == [other] && !operation.isReady)
      operation.removeDependency(other)
      if !isEnqueued { queue.enqueue(operation) }
      await operation.finished()
      #expect(operation.dependencies == [] && misuses.codesOnAnyMachine == [])
      // The dependencies have no pointer to the operation any more.
      dependency.start()
      dependency.finish()
    }

    @Test(
      "A removed dependency can be added again, and counts once")
    func addedAgain() {
      let (operation, dependency) = (QuickOperation(), OpenOperation())
      operation.addDependency(dependency)
      operation.addDependency(dependency)
      #expect(operation.dependencies == [dependency])
      operation.removeDependency(dependency)
      #expect(operation.isReady && operation.dependenciesInSystem == [])
      operation.addDependency(dependency)
      #expect(operation.dependencies == [dependency] && !operation.isReady)
      dependency.start()
      dependency.finish()
      #expect(operation.isReady)
    }

    @Test("Fault 12: a finished dependency can be removed")
    func finishedGoes() {
      let operation = QuickOperation()
      let dependency = QuickOperation()
      let misuses = Misuses(of: operation)
      operation.addDependency(dependency)
      dependency.start()
      operation.removeDependency(dependency)
      #expect(operation.dependencies == [] && operation.isReady)
      operation.removeDependency(dependency)
      #expect(misuses.codesOnAnyMachine == [])
    }

    @Test(
      "Fault 12: a cancelled operation stays ready when a dependency is removed",
      arguments: [false, true], [false, true])
    func cancelledStaysReady(isFinished: Bool, isDecided: Bool) {
      let operation = QuickOperation()
      let dependency = QuickOperation()
      let misuses = Misuses(of: operation)
      operation.addDependency(dependency)
      if isDecided { operation.finish() }
      operation.cancel()
      if isFinished { dependency.start() }
      operation.removeDependency(dependency)
      #expect(operation.isReady)
      #expect(misuses.codesOnAnyMachine == [])
    }

    @Test("A cancelled operation does not wait for a dependency that never finishes")
    func cancelGetsOut() async {
      let operation = QuickOperation()
      operation.addDependency(OpenOperation())
      let queue = OperationQueue(width: 1)
      queue.enqueue(operation)
      operation.cancel()
      await queue.emptied()
      #expect(operation.isFinished)
    }

    // MARK: Keeping (20)

    @Test("Fault 20: the release of a long chain of system operations overflows the stack")
    func systemsChain() async {
      let end = await #expect(processExitsWith: .failure) {
        Watchdog.start(Watchdog.patient)
        runChain { BlockOperation {} }
      }
      #expect(end.isCrash)
    }

    @Test("Fault 20: a chain of 100,000 operations that ran is released without overflow")
    func chainThatRan() async {
      await #expect(processExitsWith: .success) {
        Watchdog.start(Watchdog.patient)
        runChain { QuickOperation() }
      }
    }

    @Test("Fault 20: a chain of 100,000 operations that never ran is released without overflow")
    func chainThatNeverRan() async {
      await #expect(processExitsWith: .success) {
        Watchdog.start(Watchdog.patient)
        var last = QuickOperation()
        for _ in 0..<100_000 {
          let next = QuickOperation()
          next.addDependency(last)
          last = next
        }
      }
    }

    @Test("Fault 20: a finished operation keeps none of its dependencies", arguments: Kind.ours)
    func letsGo(kind: Kind) async {
      let operation = kind.make()
      let queue = OperationQueue(width: 1)
      weak var dependency: Operation?
      do {
        let dependencies = [kind.make(), kind.make(), kind.make()]
        dependency = dependencies[1]
        for dependency in dependencies { operation.addDependency(dependency) }
        for one in dependencies + [operation] { queue.enqueue(one) }
        await queue.emptied()
      }
      #expect(operation.dependencies == [])
      #expect((operation as? AsyncOperation)?.dependenciesInSystem == [])
      #expect(dependency == nil)
    }

    @Test("A finished operation keeps no added dependency and no completion block")
    func afterTheEnd() {
      let operation = QuickOperation()
      operation.start()
      operation.addDependency(QuickOperation())
      operation.completionBlock = {}
      #expect(operation.dependencies == [])
      #expect(operation.completionBlock == nil)
    }

    @Test("A dependency forgets a dependent that was dropped")
    func droppedDependent() async {
      // The system follows the pointer that it keeps. Arrays fill the freed memory, so that a stale
      // pointer crashes.
      await #expect(processExitsWith: .success) {
        Watchdog.start(Watchdog.patient)
        let dependency = OpenOperation()
        dependency.start()
        for _ in 0..<1000 { QuickOperation().addDependency(dependency) }
        var others: [[Int]] = []
        for _ in 0..<10_000 { others.append([Int](repeating: -1, count: 25)) }
        dependency.finish()
        exit(others.isEmpty ? 1 : 0)
      }
    }

    @Test("Fault 26: a system operation that is dropped as its dependency finishes crashes")
    func systemsDropped() async {
      let end = await #expect(processExitsWith: .failure) {
        Watchdog.start(Watchdog.patient)
        await dropDependents(rounds: 1_000_000, ofSystem: true)
      }
      #expect(end.isCrash)
    }

    @Test("Fault 26: an AsyncOperation that is dropped as its dependency finishes does not crash")
    func droppedAsItFinishes() async {
      await #expect(processExitsWith: .success) {
        Watchdog.start(Watchdog.patient)
        await dropDependents(
          rounds: StressLevel.current == .low ? 6_000 : 600_000, ofSystem: false)
        exit(0)
      }
    }

    @Test("A queue finishes a cancelled chain of 2,000 operations")
    func cancelledChain() async {
      await #expect(processExitsWith: .success) {
        Watchdog.start(Watchdog.patient)
        let queue = OperationQueue(width: 1)
        queue.isSuspended = true
        var last = QuickOperation()
        queue.enqueue(last)
        for _ in 0..<2_000 {
          let next = QuickOperation()
          next.addDependency(last)
          queue.enqueue(next)
          last = next
        }
        queue.cancelAllOperations()
        queue.isSuspended = false
        await queue.emptied()
        exit(last.isFinished && last.isCancelled ? 0 : 1)
      }
    }

    @Test("An operation waits for 1,000 dependencies, which finish on many threads")
    func fanIn() async {
      let queue = OperationQueue(width: 4)
      let dependencies = (0..<1000).map { _ in QuickOperation() }
      let operation = QuickOperation()
      for dependency in dependencies { operation.addDependency(dependency) }
      queue.enqueue(operation)
      for dependency in dependencies { queue.enqueue(dependency) }
      await operation.finished()
      #expect(dependencies.allSatisfy { $0.isFinished })
    }

    // MARK: Circles (21)

    @Test("Fault 21: making a system operation depend on itself hangs")
    func systemsSelf() async {
      await #expect(processExitsWith: .exitCode(Watchdog.hung)) {
        Watchdog.start(Watchdog.brief)
        let operation = BlockOperation {}
        operation.addDependency(operation)
      }
    }

    @Test("Fault 21: a dependency on itself is refused and reported", arguments: Kind.ours)
    func dependsOnItself(kind: Kind) throws {
      let operation = try #require(kind.make() as? AsyncOperation)
      let misuses = Misuses(of: operation)
      operation.addDependency(operation)
      #expect(operation.isReady && operation.dependencies == [])
      #expect(misuses.codes == [.dependsOnItself])
    }

    @Test("Fault 21: two threads deadlock as they make two system operations depend on each other")
    func systemsCircle() async {
      await #expect(processExitsWith: .exitCode(Watchdog.hung)) {
        for _ in 0..<200 { await makeCircles(patience: Watchdog.brief) { BlockOperation {} } }
      }
    }

    @Test("Fault 21: two threads may make two operations depend on each other")
    func circle() async {
      await #expect(processExitsWith: .success) {
        Watchdog.start(Watchdog.patient)
        await makeCircles(patience: Watchdog.patient) { QuickOperation() }
      }
    }

    @Test("Fault 21: two threads may end two cancelled operations that depend on each other")
    func cancelledCircle() async {
      await #expect(processExitsWith: .success) {
        Watchdog.start(Watchdog.patient)
        let pairs = (0..<10_000).map { _ in
          let (one, other) = (QuickOperation(), QuickOperation())
          one.addDependency(other)
          other.addDependency(one)
          one.cancel()
          other.cancel()
          return (one, other)
        }
        await meet(
          pairs, patience: Watchdog.patient, { one, _ in one.start() },
          { _, other in other.start() })
        exit(pairs.allSatisfy { $0.isFinished && $1.isFinished } ? 0 : 1)
      }
    }

    @Test("Fault 21: an isReady that adds a dependency does not deadlock")
    func addsWhileAdding() {
      let operation = AddsInReadiness()
      let dependency = QuickOperation()
      operation.addDependency(dependency)
      #expect(operation.dependencies.count == 2)
    }
  }

  /// One thread finishes a dependency while another drops the last reference to its dependent.
  private func dropDependents(rounds: Int, ofSystem isSystems: Bool) async {
    for _ in 0..<(rounds / 1000) {
      let dependencies = (0..<1000).map { _ in QuickOperation() }
      let dependents = Box(
        dependencies.map { dependency -> Operation in
          let dependent = isSystems ? BlockOperation {} : QuickOperation()
          dependent.addDependency(dependency)
          return dependent
        })
      let meeting = Meeting()
      await race(
        {
          for (index, dependency) in dependencies.enumerated() {
            meeting.meet(in: index)
            dependency.start()
          }
        },
        {
          for index in dependencies.indices {
            meeting.meet(in: index)
            let dropped = dependents.change { $0.removeFirst() }
            withExtendedLifetime(dropped) {}
          }
        })
    }
  }

  private func runChain(_ make: () -> Operation) {
    var last = make()
    last.start()
    for _ in 0..<100_000 {
      let next = make()
      next.addDependency(last)
      next.start()
      last = next
    }
  }

  /// Two threads make the operations of many pairs depend on each other.
  private func makeCircles(patience: TimeInterval, _ make: () -> Operation) async {
    let pairs = (0..<5_000).map { _ in (make(), make()) }
    await meet(pairs, patience: patience, { $0.addDependency($1) }, { $1.addDependency($0) })
    for (one, other) in pairs {
      one.cancel()
      other.cancel()
    }
  }

  /// Two threads go through pairs of operations in step, and each acts on every pair.
  private func meet<Subject: Operation>(
    _ pairs: [(Subject, Subject)], patience: TimeInterval,
    _ one: @escaping @Sendable (Subject, Subject) -> Void,
    _ other: @escaping @Sendable (Subject, Subject) -> Void
  ) async {
    let meeting = Meeting()
    Watchdog.start(patience, on: meeting.arrivals, upTo: 2 * (pairs.count + 1))
    @Sendable func visit(_ body: (Subject, Subject) -> Void, delay: (Int) -> Int) {
      for (index, pair) in pairs.enumerated() {
        meeting.meet(in: index)
        // One thread runs ahead of the other by every small amount of time.
        for _ in 0..<delay(index) { _ = meeting.arrivals.value }
        body(pair.0, pair.1)
      }
      meeting.meet(in: pairs.count)
    }
    await race(
      { visit(one, delay: { $0 % 32 }) }, { visit(other, delay: { $0 / 32 % 32 }) })
  }

  private final class AddsInReadiness: AsyncOperation, @unchecked Sendable {
    // Sendable: it never changes, and its box has a lock.
    private let hasAdded = Box(false)

    override var isReady: Bool {
      let isFirst = hasAdded.change { hasAdded in
        defer { hasAdded = true }
        return !hasAdded
      }
      if isFirst { addDependency(QuickOperation()) }
      return super.isReady
    }
  }
#endif
