import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("All interleavings of the machine's steps, emissions and callbacks")
struct InterleavingTests {
  private typealias Machine = AsyncOperation.StateMachine

  private static let settings: [Setting] = [false, true].flatMap { isApple in
    [false, true].flatMap { hasObservers in
      let plain = Setting(isApple: isApple, hasObservers: hasObservers)
      var finishing = plain
      finishing.bodyFinishes = true
      var deciding = plain
      deciding.bodyDecidesFirst = true
      return [plain, finishing, deciding]
    }
  }

  @Test(
    "No interleaving of up to four threads breaks a rule of the chronicle",
    arguments: settings, [2, 3, 4])
  func threads(setting: Setting, count: Int) {
    for cast in Explorer<Machine>.casts(of: count) {
      let explorer = Explorer<Machine>(cast, in: setting)
      #expect(explorer.violations.isEmpty, "\(cast)")
    }
  }

  @Test(
    "Callbacks may finish or cancel their operation",
    arguments: Callback.allCases, [Step.finish, .cancel, .cancelAndFinish])
  func reentrantCallbacks(callback: Callback, step: Step) {
    let setting = Setting(inside: [callback: step])
    for cast in Explorer<Machine>.casts(of: 2) + Explorer<Machine>.casts(of: 3) {
      let explorer = Explorer<Machine>(cast, in: setting)
      #expect(explorer.violations.isEmpty, "\(cast)")
    }
  }

  @Test("The explorer visits over 150 states and all selections of two and three threads")
  func size() {
    let explorer = Explorer<Machine>([.start, .cancel, .finish], in: Setting())
    #expect(explorer.stateCount > 150)
    #expect(Explorer<Machine>.casts(of: 2).count == 15)
    #expect(Explorer<Machine>.casts(of: 3).count == 35)
  }

  // MARK: The explorer can fail

  @Test("The explorer detects an emission after the end, sent by “emit outside the lock”")
  func literalEmission() {
    let explorer = Explorer<LiteralMachine>([.start, .finish], in: Setting(hasObservers: false))
    #expect(explorer.violations.contains("isExecuting was emitted after isFinished"))
  }

  @Test("The explorer detects a body that runs although the end was decided")
  func bodyAfterDecision() {
    let violations = explore(RunsTheBodyAnyway.self, [.start, .finish])
    #expect(violations.contains("the body was entered after the end had been decided"))
  }

  @Test("The explorer detects an end that overtakes the callbacks of another thread")
  func overtakingEnd() {
    let violations = explore(PublishesAtOnce.self, [.start, .finish])
    #expect(violations.contains("willFinish was called while [started] had not returned"))
  }

  @Test("The explorer detects an end that overtakes the callbacks of the result")
  func overtakenResult() {
    let violations = explore(PublishesPastTheDelivery.self, [.start, .cancel])
    #expect(violations.contains("willFinish was called while [result] had not returned"))
  }

  @Test("The explorer detects an end that no thread publishes")
  func forgottenEnd() {
    let violations = explore(ForgetsTheEnd.self, [.start, .cancel])
    #expect(violations.contains("it was started, its end was decided, and it has not finished"))
  }

  @Test("The explorer detects a body that is not woken after a cancel")
  func sleepingBody() {
    let violations = explore(LetsTheBodySleep.self, [.start, .cancel, .finish])
    #expect(violations.contains("the body ran, was cancelled, and nobody woke it up"))
  }

  @Test("The explorer detects two calls of finish that both decide")
  func twoDecisions() {
    let violations = explore(EveryFinishWins.self, [.start, .finish, .finish])
    #expect(violations.contains("two calls of finish have decided"))
    #expect(violations.contains("isFinished was emitted after isFinished"))
  }

  @Test("The explorer detects a cancel that is not reported")
  func untoldCancel() {
    let violations = explore(KeepsTheCancelToItself.self, [.start, .cancel])
    #expect(violations.contains("isCancelled is true and nobody was told accordingly"))
  }

  private func explore(_ fault: (some MachineFault).Type, _ cast: [Step]) -> Set<String> {
    func violations<Fault: MachineFault>(_: Fault.Type) -> Set<String> {
      Explorer<AlteredMachine<Fault>>(cast, in: Setting()).violations
    }
    return violations(fault)
  }
}
