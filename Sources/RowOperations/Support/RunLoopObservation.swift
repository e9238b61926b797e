#if (canImport(UIKit) && !os(watchOS)) || (canImport(AppKit) && !targetEnvironment(macCatalyst))
  #if canImport(UIKit)
    import UIKit
  #else
    import AppKit
  #endif

  /// Calls a closure at the end of each turn of the main run loop, before Core Animation commits.
  ///
  /// It ends with this object.
  @MainActor
  final class RunLoopObservation {
    // Core Foundation ends an observer on any thread.
    private nonisolated(unsafe) let observer: CFRunLoopObserver?

    init(_ willCommit: @escaping @MainActor () -> Void) {
      // Core Animation commits with the order 2,000,000.
      let order = 1_999_000
      let activity = CFRunLoopActivity.beforeWaiting.rawValue
      observer = CFRunLoopObserverCreateWithHandler(nil, activity, true, order) { _, _ in
        MainThread.assumeIsolated(willCommit)
      }
      CFRunLoopAddObserver(CFRunLoopGetMain(), observer, .commonModes)
    }

    deinit { if let observer { CFRunLoopObserverInvalidate(observer) } }
  }
#endif
