import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("AsyncOperation's state machine against a naive model")
struct StateMachineSequenceTests {
  private enum Event: CaseIterable {
    case startRequested, executingPublished, startCallbacksReturned
    case cancelRequested, cancelCallbacksReturned
    case cancelAndFinishRequested
    case finishRequested, finishRequestedByBody, bodyReturned, finishPublished
  }

  /// The machine and the model at one point of a sequence.
  private struct Pair: Hashable {
    var machine = AsyncOperation.StateMachine()
    var model = ModelOperation()

    /// - Returns: Whether both gave the same answer.
    mutating func take(_ event: Event) -> Bool {
      switch event {
      case .startRequested:
        return machine.startRequested() == model.startRequested()
      case .executingPublished:
        machine.executingPublished()
        model.executingPublished()
        return true
      case .startCallbacksReturned:
        return machine.startCallbacksReturned() == model.startCallbacksReturned()
      case .cancelRequested:
        return machine.cancelRequested() == model.cancelRequested()
      case .cancelCallbacksReturned:
        return machine.cancelCallbacksReturned() == model.cancelCallbacksReturned()
      case .finishRequested:
        return machine.finishRequested() == model.finishRequested()
      case .cancelAndFinishRequested:
        return machine.cancelAndFinishRequested() == model.cancelAndFinishRequested()
      case .finishRequestedByBody:
        return machine.finishRequestedByBody() == model.finishRequestedByBody()
      case .bodyReturned:
        return machine.bodyReturned() == model.bodyReturned()
      case .finishPublished:
        return machine.finishPublished() == model.finishPublished()
      }
    }

    var readsTheSame: Bool {
      machine.isCancelled == model.isCancelled && machine.isExecuting == model.isExecuting
        && machine.isFinished == model.isFinished && machine.isDecided == model.isDecided
        && machine.isEnding == model.isEnding
    }
  }

  /// Every sequence up to a length; sequences with a common prefix share its work.
  private struct Walk {
    var steps = 0
    var path: [Event] = []
    var failures: [[Event]] = []
    /// The state that each set of facts was first seen with; it never differs later.
    var states: [Int: AsyncOperation.StateMachine] = [:]

    mutating func extend(_ pair: Pair, by length: Int) {
      guard length > 0, failures.isEmpty else { return }
      for event in Event.allCases {
        var next = pair
        path.append(event)
        let answersAgree = next.take(event)
        steps += 1
        if !answersAgree || !next.readsTheSame || !isKnownState(next) { failures.append(path) }
        extend(next, by: length - 1)
        path.removeLast()
      }
    }

    private mutating func isKnownState(_ pair: Pair) -> Bool {
      if let seen = states[pair.model.number] { return seen == pair.machine }
      states[pair.model.number] = pair.machine
      return true
    }
  }

  @Test("Every sequence of events up to length 6 gives the model's action and state at every step")
  func allSequences() {
    var walk = Walk()
    walk.extend(Pair(), by: 6)
    #expect(walk.failures.isEmpty, "first differs after \(walk.failures.first ?? [])")
    #expect(walk.steps == (1...6).reduce(0) { sum, length in sum + power(10, length) })
  }

  @Test("Machine and model agree on all reachable states, one for one")
  func allStates() {
    var seen: Set<Pair> = [Pair()]
    var open = [Pair()]
    while let pair = open.popLast() {
      for event in Event.allCases {
        var next = pair
        let answersAgree = next.take(event)
        #expect(answersAgree, "\(event) after \(pair)")
        #expect(next.readsTheSame, "\(event) after \(pair)")
        if seen.insert(next).inserted { open.append(next) }
      }
    }
    #expect(Set(seen.map(\.machine)).count == seen.count)
    #expect(Set(seen.map(\.model)).count == seen.count)
    #expect(Set(seen.map(\.model.number)).count == seen.count)
  }

  private func power(_ base: Int, _ exponent: Int) -> Int {
    (0..<exponent).reduce(1) { product, _ in product * base }
  }
}
