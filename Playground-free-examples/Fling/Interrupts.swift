import Foundation

/// The first Ctrl-C ends the scroll early; a second one, or one before the scroll, the process.
@MainActor
final class Interrupts {
  private var isInterrupted = false
  /// Ends the scroll; `nil` before there is one.
  var endScroll: (() -> Void)?
  private let source: any DispatchSourceSignal

  /// - Parameter quit: Ends the process.
  init(quit: @escaping @MainActor () -> Never) {
    signal(SIGINT, SIG_IGN)
    source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .main)
    source.setEventHandler { [weak self] in
      MainActor.assumeIsolated {
        guard let self, !self.isInterrupted, let endScroll = self.endScroll else { quit() }
        self.isInterrupted = true
        endScroll()
      }
    }
    source.activate()
  }
}
