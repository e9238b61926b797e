import Foundation

#if canImport(UIKit) && !os(watchOS)
  import UIKit
#elseif os(macOS)
  import AppKit
#endif

/// Notifies trackers of low memory, and of the app's way into the background and back.
///
/// The process has one watch; only Apple's systems report. A hidden Mac app counts as in the
/// background.
@MainActor
final class AppWatch {
  static let shared = AppWatch()

  private let users = LiveUsers<TrackerCore>()
  #if canImport(UIKit) && !os(watchOS)
    private var observations: [NotificationObservation] = []
  #elseif os(macOS)
    private var observations: [NotificationObservation] = []
    private var source: (any DispatchSourceMemoryPressure)?
  #endif

  func add(_ core: TrackerCore) {
    users.add(core)
    start()
  }

  private func start() {
    #if canImport(UIKit) && !os(watchOS)
      guard observations.isEmpty else { return }
      observations = [
        observe(UIApplication.didReceiveMemoryWarningNotification) { $0.memoryRanLow() },
        observe(UIApplication.didEnterBackgroundNotification) { $0.wentIntoBackground() },
        observe(UIApplication.willEnterForegroundNotification) { $0.cameBack() },
      ]
    #elseif os(macOS)
      guard source == nil else { return }
      observations = [
        observe(NSApplication.didHideNotification) { $0.wentIntoBackground() },
        observe(NSApplication.didUnhideNotification) { $0.cameBack() },
      ]
      let source = DispatchSource.makeMemoryPressureSource(
        eventMask: [.warning, .critical], queue: .main)
      source.setEventHandler { [weak self] in
        MainThread.assumeIsolated { self?.memoryRanLow() }
      }
      source.activate()
      self.source = source
    #endif
  }

  #if canImport(UIKit) && !os(watchOS) || os(macOS)
    private func observe(
      _ name: Notification.Name, _ body: @escaping @MainActor (AppWatch) -> Void
    ) -> NotificationObservation {
      NotificationObservation(name) { [weak self] _ in if let self { body(self) } }
    }
  #endif

  func memoryRanLow() {
    for core in users.all { core.enter(.removeCachedValues) }
  }

  func wentIntoBackground() { for core in users.all { core.appWentIntoBackground() } }

  func cameBack() { for core in users.all { core.uncover(.background) } }
}
