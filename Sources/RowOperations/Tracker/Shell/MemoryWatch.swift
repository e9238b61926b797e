import Foundation

#if canImport(UIKit) && !os(watchOS)
  import UIKit
#elseif os(macOS)
  import AppKit
#endif

/// Has trackers drop values that no row claims, when memory is low or the app is in the background.
///
/// The process has one.
@MainActor
final class MemoryWatch {
  static let shared = MemoryWatch()

  private var users = LiveCores()
  #if canImport(UIKit) && !os(watchOS)
    private var observers: [any NSObjectProtocol] = []
  #elseif os(macOS)
    private var observers: [any NSObjectProtocol] = []
    private var source: (any DispatchSourceMemoryPressure)?
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
        observe(UIApplication.didReceiveMemoryWarningNotification) { $0.memoryRanLow() },
        observe(UIApplication.didEnterBackgroundNotification) { $0.wentIntoBackground() },
      ]
    #elseif os(macOS)
      guard source == nil else { return }
      // The user hides the app, which is as far in the background as an app for the Mac goes.
      observers = [observe(NSApplication.didHideNotification) { $0.wentIntoBackground() }]
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
      _ name: Notification.Name, _ body: @escaping @MainActor (MemoryWatch) -> Void
    ) -> any NSObjectProtocol {
      NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main) {
        [weak self] _ in
        MainThread.assumeIsolated { if let self { body(self) } }
      }
    }
  #endif

  /// The system warns that memory is low.
  func memoryRanLow() {
    for core in users.all { core.enter(.removeCachedValues) }
  }

  /// Values that are kept by their cost are dropped: the system ends apps in the background that
  /// take much memory.
  func wentIntoBackground() {
    for core in users.all where core.keepsByCost { core.enter(.removeCachedValues) }
  }
}
