import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("AsyncOperation's state machine")
struct StateMachineTests {
  private typealias Machine = AsyncOperation.StateMachine

  fileprivate enum Event: Hashable {
    case start, published, startCallbacksReturned, cancel, cancelAndFinish, finish
    case finishByBody, resultDelivered, finishPublished
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

  private static let lives = [
    Life(
      "A start announces and runs the body; a finish publishes the end",
      (.start, .announce, "started"), (.published, nil, "executing started"),
      (.startCallbacksReturned, .runBody, "executing started"),
      (.start, .reportSecondStart, "executing started"),
      (.finish, .publish, "executing decided started"),
      (.finish, .reportSecondFinish, "executing decided started"),
      (.cancel, Machine.Action.none, "executing decided started"),
      (.finishPublished, nil, "decided started finished"),
      (.cancelAndFinish, Machine.Action.none, "decided started finished"),
      (.finish, .reportSecondFinish, "decided started finished"),
      (.start, .reportSecondStart, "decided started finished")),
    Life(
      "A finish before the start is recorded, and the start runs no body",
      (.finish, .deliver, "decided"), (.finish, .reportSecondFinish, "decided"),
      (.cancel, .leaveQueue, "decided"), (.resultDelivered, Machine.Action.none, "decided"),
      (.cancel, .leaveQueue, "decided"), (.finish, .reportSecondFinish, "decided"),
      (.cancelAndFinish, Machine.Action.none, "decided"), (.start, .publish, "decided started"),
      (.resultDelivered, Machine.Action.none, "decided started"),
      (.finishPublished, nil, "decided started finished")),
    Life(
      "A finish during the start is recorded, and the starting thread publishes the end",
      (.start, .announce, "started"), (.published, nil, "executing started"),
      (.finish, .record, "executing decided started"),
      (.cancel, Machine.Action.none, "executing decided started"),
      (.startCallbacksReturned, .publish, "executing decided started")),
    Life(
      "A cancel before the start decides the end, and the start publishes it",
      (.cancel, .cancel(.pending), "cancelled decided"),
      (.finish, .ignoreLate, "cancelled decided"), (.cancel, .leaveQueue, "cancelled decided"),
      (.resultDelivered, Machine.Action.none, "cancelled decided"),
      (.start, .publish, "cancelled decided started")),
    Life(
      "A start during the delivery of the result leaves the end to the delivering thread",
      (.cancel, .cancel(.pending), "cancelled decided"),
      (.start, Machine.Action.none, "cancelled decided started"),
      (.start, .reportSecondStart, "cancelled decided started"),
      (.cancel, .leaveQueue, "cancelled decided started"),
      (.resultDelivered, .publish, "cancelled decided started"),
      (.finishPublished, nil, "cancelled decided started finished")),
    Life(
      "A cancel during the start decides the end, and the starting thread publishes it",
      (.start, .announce, "started"), (.published, nil, "executing started"),
      (.cancel, .cancel(.starting), "cancelled executing decided started"),
      (.startCallbacksReturned, .publish, "cancelled executing decided started")),
    Life(
      "A cancel while executing wakes the body, once, and leaves the end to it",
      (.start, .announce, "started"), (.published, nil, "executing started"),
      (.startCallbacksReturned, .runBody, "executing started"),
      (.cancel, .cancel(.body), "cancelled executing started"),
      (.cancel, Machine.Action.none, "cancelled executing started"),
      (.finishByBody, nil, "cancelled executing started"),
      (.finish, .publish, "cancelled executing decided started"),
      (.finish, .ignoreLate, "cancelled executing decided started")),
    Life(
      "An ending cancel while executing publishes and wakes the body",
      (.start, .announce, "started"), (.published, nil, "executing started"),
      (.startCallbacksReturned, .runBody, "executing started"),
      (.cancelAndFinish, .cancel(.bodyAndPublish), "cancelled executing decided started")),
    Life(
      "An ending cancel after a cancel only publishes",
      (.start, .announce, "started"), (.published, nil, "executing started"),
      (.startCallbacksReturned, .runBody, "executing started"),
      (.cancel, .cancel(.body), "cancelled executing started"),
      (.cancelAndFinish, .publish, "cancelled executing decided started")),
    Life(
      "An ending cancel before or during the start leaves the end to the start",
      (.cancelAndFinish, .cancel(.pending), "cancelled decided"),
      (.resultDelivered, Machine.Action.none, "cancelled decided"),
      (.start, .publish, "cancelled decided started")),
    Life(
      "A body that decides its end publishes it later; nothing comes in between",
      (.start, .announce, "started"), (.published, nil, "executing started"),
      (.startCallbacksReturned, .runBody, "executing started"),
      (.finishByBody, nil, "executing decided started"),
      (.cancel, Machine.Action.none, "executing decided started"),
      (.cancelAndFinish, Machine.Action.none, "executing decided started"),
      (.finish, .reportSecondFinish, "executing decided started"),
      (.finishPublished, nil, "decided started finished")),
    Life(
      "Events that were not asked for change nothing",
      (.startCallbacksReturned, Machine.Action.none, ""), (.finishPublished, nil, ""),
      (.published, nil, ""),
      (.resultDelivered, Machine.Action.none, "")),
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
    case .resultDelivered: return resultDelivered()
    case .finishPublished:
      _ = finishPublished()
      return nil
    }
  }

  /// The names of the facts that are true.
  fileprivate var facts: String {
    let facts = [
      ("cancelled", isCancelled), ("executing", isExecuting), ("decided", isDecided),
      ("started", wasStarted), ("finished", isFinished),
    ]
    return facts.filter(\.1).map(\.0).joined(separator: " ")
  }
}
