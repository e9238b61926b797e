@testable import disk_usage

/// Lays a browser out whenever it has news.
@MainActor
final class Watch {
  private let browser: Browser
  private var waiter: CheckedContinuation<Void, Never>?

  init(_ browser: Browser) {
    self.browser = browser
    browser.onChange = { [weak self] in
      self?.waiter?.resume()
      self?.waiter = nil
    }
  }

  func wait(until condition: () -> Bool) async {
    browser.layOut()
    while !condition() {
      await withCheckedContinuation { waiter = $0 }
      browser.layOut()
    }
  }
}
