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
  private var source: (any DispatchSourceSignal)?
  /// Gives Ctrl-C its earlier effect back.
  private var restore: () -> Void = {}

  /// - Parameter quit: Ends the process.
  init(quit: @escaping @MainActor () -> Never) { self.quit = quit }

  /// A scroll begins.
  ///
  /// - Parameter endScroll: Ends it early; `nil` if it only ends with the process.
  func begin(endScroll: (() -> Void)? = nil) {
    self.endScroll = endScroll
    guard source == nil else { return }
    let before = signal(SIGINT, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .main)
    source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.interrupt() } }
    source.activate()
    self.source = source
    restore = { signal(SIGINT, before) }
  }

  /// A value that tells whether Ctrl-C came since this call, for a loop that keeps its thread busy.
  ///
  /// Ctrl-C has no other effect from now on.
  static func flag() -> () -> Bool {
    let isInterrupted = Locked(false)
    _ = signal(SIGINT, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    source.setEventHandler { @Sendable in isInterrupted.change { $0 = true } }
    source.activate()
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
    restore()
  }
}
