import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

#if !canImport(ObjectiveC)
  @Suite("The wait between an operation and its dependency", .timeLimit(.minutes(10)))
  struct DependencyWaitTests {
    private typealias Life = DependencyWait.Life

    // MARK: As a value

    private enum Event: CaseIterable { case open, detach, emitted }

    @Test("A wait emits once and then parts once, also if it is detached during the emission")
    func life() {
      let (opening, ending) = (Life.opening(detaches: false), Life.opening(detaches: true))
      let table: [(life: Life, event: Event, action: Life.Action, next: Life)] = [
        (.closed, .open, .emit, opening),
        // It opens first, so that the operation stops counting it.
        (.closed, .detach, .emit, ending),
        (.closed, .emitted, .none, .closed),
        (opening, .open, .none, opening),
        (opening, .detach, .none, ending),
        (opening, .emitted, .none, .open),
        (ending, .open, .none, ending),
        (ending, .detach, .none, ending),
        (ending, .emitted, .part, .detached),
        (.open, .open, .none, .open),
        (.open, .detach, .part, .detached),
        (.open, .emitted, .none, .open),
      ]
      let over = Event.allCases.map { (Life.detached, $0, Life.Action.none, Life.detached) }
      for (life, event, action, next) in table + over {
        var life = life
        #expect(life.isOpen == (life != .closed))
        let taken =
          switch event {
          case .open: life.openRequested()
          case .detach: life.detachRequested()
          case .emitted: life.emitted()
          }
        #expect(taken == action && life == next)
      }
    }

    // MARK: Each interleaving of the emission with a change

    /// A change by another thread between the opening of a wait and its emission.
    enum Change: CaseIterable { case remove, cancel, drop, addAgain, nothing }

    @Test(
      "A change in the middle of the emission leaves the operation ready",
      arguments: Change.allCases)
    func inTheMiddle(change: Change) async {
      let (dependency, operation) = (OpenOperation(), Box<ReadinessProbe?>(ReadinessProbe()))
      dependency.start()
      operation.value?.addDependency(dependency)
      // The owner's readiness is read inside the emission of the wait.
      operation.value?.nextRead.set(
        ReadinessProbe.Read {
          switch change {
          case .remove: operation.value?.removeDependency(dependency)
          case .cancel: operation.value?.cancel()
          case .drop: operation.set(nil)
          case .addAgain: operation.value?.addDependency(dependency)
          case .nothing: break
          }
        })
      dependency.finish()
      if let operation = operation.value {
        #expect(operation.isReady)
        operation.start()
        #expect(operation.isFinished && operation.dependencies == [])
      }
    }
  }

#endif
