import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("All interleavings of the machine's steps, emissions and callbacks")
struct InterleavingTests {
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
    for cast in Explorer.casts(of: count) {
      #expect(Explorer(cast, in: setting).violations.isEmpty, "\(cast)")
    }
  }

  @Test(
    "Callbacks may finish or cancel their operation",
    arguments: Callback.allCases, [Step.finish, .cancel, .cancelAndFinish])
  func reentrantCallbacks(callback: Callback, step: Step) {
    let setting = Setting(inside: [callback: step])
    for cast in Explorer.casts(of: 2) + Explorer.casts(of: 3) {
      #expect(Explorer(cast, in: setting).violations.isEmpty, "\(cast)")
    }
  }

  @Test("The explorer visits over 150 states, and detects an end that overtakes a callback")
  func detects() {
    #expect(Explorer.casts(of: 3).count == 35)
    #expect(Explorer([.start, .cancel, .finish], in: Setting()).stateCount > 150)
    let broken = Explorer([.start, .finish], in: Setting(publishesTooEarly: true))
    #expect(broken.violations.contains("willFinish was called while [started] had not returned"))
  }
}
