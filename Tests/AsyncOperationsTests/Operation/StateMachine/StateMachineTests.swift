import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("AsyncOperation's state machine")
struct StateMachineTests {
  private typealias Machine = AsyncOperation.StateMachine

  fileprivate enum Event: Hashable {
    case start, published, startCallbacksReturned, cancel, cancelAndFinish, finish
    case finishByBody, bodyReturned, finishPublished
  }

  /// One life: the events, the expected actions, and the facts that are true afterwards.
  private struct Life: CustomTestStringConvertible {
    let testDescription: String
    let steps: [(event: Event, action: Machine.Action?, facts: String)]

    init(_ name: String, _ steps: (event: Event, action: Machine.Action?, facts: String)...) {
      testDescription = name
      self.steps = steps
    }
  }

  private static let toBody: [Event] = [.start, .published, .startCallbacksReturned]

  private static let lives = [
    Life(
      "A start announces and runs the body; a finish publishes the end",
      (.start, .announce, ""), (.published, nil, "executing"),
      (.startCallbacksReturned, .runBody, "executing"),
      (.start, .reportSecondStart, "executing"),
      (.finish, .publish, "executing decided ending"),
      (.finish, .reportSecondFinish, "executing decided ending"),
      (.cancel, Machine.Action.none, "executing decided ending"),
      (.finishPublished, nil, "decided ending finished"),
      (.cancelAndFinish, Machine.Action.none, "decided ending finished"),
      (.finish, .reportSecondFinish, "decided ending finished"),
      (.start, .reportSecondStart, "decided ending finished")),
    Life(
      "A finish before the start is recorded, and the start runs no body",
      (.finish, .record(isPending: true), "decided"), (.finish, .reportSecondFinish, "decided"),
      (.cancel, .leaveQueue, "decided"), (.cancel, .leaveQueue, "decided"),
      (.cancelAndFinish, Machine.Action.none, "decided"), (.start, .publish, "decided ending"),
      (.finishPublished, nil, "decided ending finished")),
    Life(
      "A finish during the start is recorded, and the starting thread publishes the end",
      (.start, .announce, ""), (.published, nil, "executing"),
      (.finish, .record(isPending: false), "executing decided"),
      (.cancel, Machine.Action.none, "executing decided"),
      (.startCallbacksReturned, .publish, "executing decided ending")),
    Life(
      "A cancel before the start decides the end, and the start publishes it",
      (.cancel, .cancelPending, "cancelled decided"), (.finish, .ignoreLate, "cancelled decided"),
      (.cancel, .leaveQueue, "cancelled decided"),
      (.start, .publish, "cancelled decided ending")),
    Life(
      "A cancel during the start decides the end, and the starting thread publishes it",
      (.start, .announce, ""), (.published, nil, "executing"),
      (.cancel, .cancelStarting, "cancelled executing decided"),
      (.startCallbacksReturned, .publish, "cancelled executing decided ending")),
    Life(
      "A cancel while executing wakes the body, once, and leaves the end to it",
      (.start, .announce, ""), (.published, nil, "executing"),
      (.startCallbacksReturned, .runBody, "executing"),
      (.cancel, .cancelBody, "cancelled executing"),
      (.cancel, Machine.Action.none, "cancelled executing"),
      (.finishByBody, nil, "cancelled executing"),
      (.finish, .publish, "cancelled executing decided ending"),
      (.finish, .ignoreLate, "cancelled executing decided ending")),
    Life(
      "An ending cancel while executing publishes and wakes the body",
      (.start, .announce, ""), (.published, nil, "executing"),
      (.startCallbacksReturned, .runBody, "executing"),
      (.cancelAndFinish, .cancelBodyAndPublish, "cancelled executing decided ending")),
    Life(
      "An ending cancel after a cancel only publishes",
      (.start, .announce, ""), (.published, nil, "executing"),
      (.startCallbacksReturned, .runBody, "executing"),
      (.cancel, .cancelBody, "cancelled executing"),
      (.cancelAndFinish, .publish, "cancelled executing decided ending")),
    Life(
      "An ending cancel before or during the start leaves the end to the start",
      (.cancelAndFinish, .cancelPending, "cancelled decided"),
      (.start, .publish, "cancelled decided ending")),
    Life(
      "A body that decides its end publishes it later; nothing comes in between",
      (.start, .announce, ""), (.published, nil, "executing"),
      (.startCallbacksReturned, .runBody, "executing"),
      (.finishByBody, nil, "executing decided"),
      (.cancel, Machine.Action.none, "executing decided"),
      (.cancelAndFinish, Machine.Action.none, "executing decided"),
      (.finish, .reportSecondFinish, "executing decided"),
      (.bodyReturned, .publish, "executing decided ending"),
      (.bodyReturned, Machine.Action.none, "executing decided ending")),
    Life(
      "Events that were not asked for change nothing",
      (.startCallbacksReturned, Machine.Action.none, ""), (.finishPublished, nil, ""),
      (.published, nil, ""),
      (.bodyReturned, Machine.Action.none, "")),
  ]

  @Test("Each event of a life leads to one action and one state", arguments: lives)
  private func life(_ life: Life) {
    var machine = Machine()
    for (index, step) in life.steps.enumerated() {
      let action = machine.take(step.event)
      if let expected = step.action { #expect(action == expected, "step \(index)") }
      #expect(machine.facts == step.facts, "step \(index)")
    }
  }

  @Test("Only an operation that executed reports that it executes no longer")
  func executingChanged() {
    var machine = Machine()
    _ = machine.finishRequested()
    _ = machine.startRequested()
    let wasPending = machine.finishPublished()
    #expect(!wasPending)
    machine = Machine()
    for event in Self.toBody + [.finish] { _ = machine.take(event) }
    let wasExecuting = machine.finishPublished()
    #expect(wasExecuting)
  }
}

extension AsyncOperation.StateMachine {
  fileprivate mutating func take(_ event: StateMachineTests.Event) -> Action? {
    switch event {
    case .start: return startRequested()
    case .published:
      executingPublished()
      return nil
    case .startCallbacksReturned: return startCallbacksReturned()
    case .cancel: return cancelRequested()
    case .cancelAndFinish: return cancelAndFinishRequested()
    case .finish: return finishRequested()
    case .finishByBody:
      _ = finishRequestedByBody()
      return nil
    case .bodyReturned: return bodyReturned()
    case .finishPublished:
      _ = finishPublished()
      return nil
    }
  }

  /// The names of the facts that are true.
  fileprivate var facts: String {
    let facts = [
      ("cancelled", isCancelled), ("executing", isExecuting), ("decided", isDecided),
      ("ending", isEnding), ("finished", isFinished),
    ]
    return facts.filter(\.1).map(\.0).joined(separator: " ")
  }
}
