import Foundation

/// Ctrl-C while the list scrolls: the first one ends the scroll early, a second one the process.
///
/// Before the scroll and after it, Ctrl-C has the effect that the system gives it, also while the
/// main thread is busy.
@MainActor
final class Interrupts {
  private let quit: @MainActor () -> Never
  private var isInterrupted = false
  /// Ends the scroll; `nil` if the first Ctrl-C ends the process.
  private var endScroll: (() -> Void)?
  private var source: SignalSource?

  /// - Parameter quit: Ends the process.
  init(quit: @escaping @MainActor () -> Never) { self.quit = quit }

  /// A scroll begins.
  ///
  /// - Parameter endScroll: Ends it early; `nil` if it only ends with the process.
  func begin(endScroll: (() -> Void)? = nil) {
    self.endScroll = endScroll
    guard source == nil else { return }
    source = SignalSource(SIGINT, on: .main) { [weak self] in
      MainActor.assumeIsolated { self?.interrupt() }
    }
  }

  /// A value that tells whether Ctrl-C came since this call, for a loop that keeps its thread busy.
  ///
  /// Ctrl-C has no other effect from now on.
  static func flag() -> () -> Bool {
    let isInterrupted = Locked(false)
    let source = SignalSource(SIGINT, on: .global()) { isInterrupted.change { $0 = true } }
    return { withExtendedLifetime(source) { isInterrupted.value } }
  }

  private func interrupt() {
    guard !isInterrupted, let endScroll else { quit() }
    isInterrupted = true
    endScroll()
  }

  /// The last scroll is over.
  func end() {
    source?.cancel()
    source = nil
  }
}
