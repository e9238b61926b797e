import Foundation

#if canImport(UIKit) && !os(watchOS)
  import UIKit
#endif

/// Reports to trackers that count impressions that the app goes into the background and comes back.
///
/// The process has one. Only UIKit reports this.
@MainActor
final class BackgroundWatch {
  static let shared = BackgroundWatch()

  private var users = LiveCores()
  #if canImport(UIKit) && !os(watchOS)
    private var observers: [any NSObjectProtocol] = []
  #endif

  /// A tracker wants to know.
  ///
  /// O(trackers).
  func add(_ core: TrackerCore) {
    users.add(core)
    start()
  }

  private func start() {
    #if canImport(UIKit) && !os(watchOS)
      guard observers.isEmpty else { return }
      observers = [
        observe(UIApplication.didEnterBackgroundNotification) { $0.wentIntoBackground() },
        observe(UIApplication.willEnterForegroundNotification) { $0.cameBack() },
      ]
    #endif
  }

  #if canImport(UIKit) && !os(watchOS)
    private func observe(
      _ name: Notification.Name, _ body: @escaping @MainActor (BackgroundWatch) -> Void
    ) -> any NSObjectProtocol {
      NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main) {
        [weak self] _ in
        MainThread.assumeIsolated { if let self { body(self) } }
      }
    }
  #endif

  func wentIntoBackground() { for core in users.all { core.cover(.background) } }

  func cameBack() {
    for core in users.all {
      core.uncover(.background)
      core.requestTurn()
    }
  }
}
