import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

#if !canImport(ObjectiveC)
  @Suite("Dependencies (faults 12, 20 and 21)", .timeLimit(.minutes(10)))
  struct DependencyFaultTests {
    // MARK: Removing (12)

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

    @Test("A removed dependency can be added again, and counts once")
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

    @Test(
      "A cancelled operation waits for no dependency, added before the cancel or after it",
      arguments: [false, true])
    func cancelGetsOut(isCancelledFirst: Bool) async {
      let operation = QuickOperation()
      if isCancelledFirst { operation.cancel() }
      operation.addDependency(OpenOperation())
      let queue = OperationQueue(width: 1)
      queue.enqueue(operation)
      operation.cancel()
      await queue.emptied()
      #expect(operation.isFinished)
    }

    @Test("Fault 12: a finished dependency can be removed, and a removal again does nothing")
    func finishedGoes() {
      let (operation, dependency) = (QuickOperation(), QuickOperation())
      let misuses = Misuses(of: operation)
      operation.addDependency(dependency)
      dependency.start()
      for _ in 0..<2 {
        operation.removeDependency(dependency)
        #expect(operation.dependencies == [] && operation.isReady)
      }
      #expect(misuses.codesOnAnyMachine == [])
    }

    @Test(
      "Fault 12: a cancelled operation stays ready when a dependency is removed",
      arguments: [false, true], [false, true])
    func cancelledStaysReady(isFinished: Bool, isDecided: Bool) {
      let (operation, dependency) = (QuickOperation(), QuickOperation())
      operation.addDependency(dependency)
      if isDecided { operation.finish() }
      operation.cancel()
      if isFinished { dependency.start() }
      operation.removeDependency(dependency)
      #expect(operation.isReady)
    }

    // MARK: Keeping (20)

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

    @Test("Fault 26: an operation that is dropped as its dependency finishes does not crash")
    func droppedAsItFinishes() async {
      await #expect(processExitsWith: .success) {
        Watchdog.start(Watchdog.patient)
        for _ in 0..<(StressLevel.current == .low ? 6 : 600) { await dropDependents() }
        exit(0)
      }
    }

    // MARK: Circles (21)

    @Test("Fault 21: a dependency on itself is refused and reported", arguments: Kind.ours)
    func dependsOnItself(kind: Kind) throws {
      let operation = try #require(kind.make() as? AsyncOperation)
      let misuses = Misuses(of: operation)
      operation.addDependency(operation)
      #expect(operation.isReady && operation.dependencies == [])
      #expect(misuses.codes == [.dependsOnItself])
    }

    @Test("Fault 21: two threads may close, and after a cancel end, a circle of two operations")
    func circle() async {
      await #expect(processExitsWith: .success) {
        let pairs = (0..<5_000).map { _ in (QuickOperation(), QuickOperation()) }
        await meet(pairs, { $0.addDependency($1) }, { $1.addDependency($0) })
        for (one, other) in pairs {
          one.cancel()
          other.cancel()
        }
        await meet(pairs, { one, _ in one.start() }, { _, other in other.start() })
        exit(pairs.allSatisfy { $0.isFinished && $1.isFinished } ? 0 : 1)
      }
    }

    @Test("Fault 21: an isReady that adds a dependency does not deadlock")
    func addsWhileAdding() {
      let operation = ReadinessProbe()
      operation.nextRead.set(
        ReadinessProbe.Read { [weak operation] in operation?.addDependency(QuickOperation()) })
      operation.addDependency(QuickOperation())
      #expect(operation.dependencies.count == 2)
      operation.cancel()
    }
  }

  /// One thread finishes dependencies while another drops the last references to their dependents.
  private func dropDependents() async {
    let dependencies = (0..<1000).map { _ in QuickOperation() }
    let dependents = Box(
      dependencies.map { dependency in
        let dependent = QuickOperation()
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

  /// Two threads go through pairs of operations in step, and each acts on every pair.
  private func meet(
    _ pairs: [(QuickOperation, QuickOperation)],
    _ one: @escaping @Sendable (QuickOperation, QuickOperation) -> Void,
    _ other: @escaping @Sendable (QuickOperation, QuickOperation) -> Void
  ) async {
    let meeting = Meeting()
    Watchdog.start(Watchdog.patient, on: meeting.arrivals, upTo: 2 * (pairs.count + 1))
    @Sendable func visit(
      _ body: (QuickOperation, QuickOperation) -> Void, delay: (Int) -> Int
    ) {
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

#endif
