import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

#if !canImport(ObjectiveC)
  @Suite("The wait between an operation and its dependency", .timeLimit(.minutes(10)))
  struct DependencyWaitTests {
    private typealias Life = DependencyWait.Life

    // MARK: As a value

    @Test("A wait that opens and then detaches emits once and parts once")
    func openThenDetach() {
      var life = Life.closed
      #expect(!life.isOpen)
      #expect(life.openRequested() == .emit)
      #expect(life.isOpen)
      #expect(life.openRequested() == .none)
      #expect(life.emitted() == .none)
      #expect(life.detachRequested() == .part)
      #expect(life == .detached)
      #expect(life.detachRequested() == .none && life.openRequested() == .none)
    }

    @Test("A closed wait that detaches opens first, so that the operation stops counting it")
    func detachClosed() {
      var life = Life.closed
      #expect(life.detachRequested() == .emit)
      #expect(life.emitted() == .part)
      #expect(life == .detached)
    }

    @Test("The emitting thread parts a wait that another thread detaches")
    func detachWhileOpening() {
      var life = Life.closed
      #expect(life.openRequested() == .emit)
      #expect(life.detachRequested() == .none)
      #expect(life.emitted() == .part)
    }

    @Test("Every sequence of events emits at most once, then parts at most once")
    func allSequences() {
      enum Event: CaseIterable { case open, detach, emitted }
      func extend(_ life: Life, emissions: Int, returned: Int, parts: Int, by length: Int) {
        #expect(emissions <= 1 && parts <= 1 && (parts == 0 || returned == 1))
        guard length > 0 else { return }
        for event in Event.allCases {
          var next = life
          // An emission returns once, and only if there is one.
          if event == .emitted, emissions == returned { continue }
          let action =
            switch event {
            case .open: next.openRequested()
            case .detach: next.detachRequested()
            case .emitted: next.emitted()
            }
          extend(
            next, emissions: emissions + (action == .emit ? 1 : 0),
            returned: returned + (event == .emitted ? 1 : 0),
            parts: parts + (action == .part ? 1 : 0), by: length - 1)
        }
      }
      extend(.closed, emissions: 0, returned: 0, parts: 0, by: 7)
    }

    // MARK: Each interleaving of the emission with a change

    /// A change by another thread between the opening of a wait and its emission.
    enum Change: CaseIterable { case remove, cancel, drop, addAgain, nothing }

    @Test("A removed dependency leaves nothing among those that the system knows")
    func removed() {
      let (operation, dependency) = (QuickOperation(), OpenOperation())
      operation.addDependency(dependency)
      #expect(operation.dependenciesInSystem.count == 1)
      operation.removeDependency(dependency)
      #expect(operation.dependenciesInSystem.isEmpty)
    }

    @Test(
      "A change in the middle of the emission leaves the operation ready",
      arguments: Change.allCases)
    func inTheMiddle(change: Change) async {
      let dependency = OpenOperation()
      dependency.start()
      let operation = Box<Interrupted?>(Interrupted())
      let isReady = Box(true)
      operation.value?.addDependency(dependency)
      // The owner's readiness is read inside the emission of the wait.
      operation.value?.interruption.set { @Sendable in
        switch change {
        case .remove: operation.value?.removeDependency(dependency)
        case .cancel: operation.value?.cancel()
        case .drop: operation.set(nil)
        case .addAgain: operation.value?.addDependency(dependency)
        case .nothing: break
        }
      }
      dependency.finish()
      if let operation = operation.value {
        isReady.set(operation.isReady)
        operation.start()
        #expect(operation.isFinished && operation.dependencies == [])
      }
      #expect(isReady.value)
    }

    @Test("An operation may be released on the thread that opens its wait")
    func droppedByTheOpener() async {
      for _ in 0..<1000 {
        let dependency = OpenOperation()
        dependency.start()
        let isGone = Gate()
        do {
          let operation = QuickOperation()
          operation.addDependency(dependency)
          operation.addObserver(
            OperationObserver(started: { [token = Token(isGone)] _ in withExtendedLifetime(token) {}
            }))
          dependency.addObserver(
            OperationObserver(didFinish: { _ in withExtendedLifetime(operation) {} }))
        }
        dependency.finish()
        await isGone.opened()
      }
    }

    @Test("An operation finishes after threads have added, removed and finished dependencies")
    func race() async {
      for _ in 0..<300 {
        let queue = OperationQueue(width: 4)
        let dependencies = (0..<8).map { _ in OpenOperation() }
        let operation = QuickOperation()
        for dependency in dependencies { queue.enqueue(dependency) }
        await TestSupport.race(
          { for dependency in dependencies { operation.addDependency(dependency) } },
          { for dependency in dependencies.reversed() { operation.removeDependency(dependency) } },
          { for dependency in dependencies { dependency.finish() } },
          { operation.addDependency(dependencies[3]) })
        queue.enqueue(operation)
        await operation.finished()
      }
    }
  }

  /// Runs a closure once in the middle of an emission that reaches it.
  private final class Interrupted: AsyncOperation, @unchecked Sendable {
    // Sendable: it never changes, and its box has a lock.
    let interruption = Box<(@Sendable () -> Void)?>(nil)

    override var isReady: Bool {
      let isReady = super.isReady
      interruption.exchanged(nil)?()
      return isReady
    }

    override func main() { finish() }
  }
#endif
