#if (canImport(UIKit) && !os(watchOS)) || (canImport(AppKit) && !targetEnvironment(macCatalyst))
  #if canImport(UIKit)
    import UIKit
  #else
    import AppKit
  #endif

  /// Calls closures in each turn of the main run loop, before and after Core Animation commits.
  ///
  /// It ends with this object.
  @MainActor
  final class RunLoopObservation {
    private let observers: [ThreadSafe<CFRunLoopObserver?>]

    init(
      willCommit: @escaping @MainActor () -> Void, didCommit: @escaping @MainActor () -> Void
    ) {
      // Core Animation commits with the order 2,000,000.
      observers = [(1_999_000, willCommit), (2_001_000, didCommit)].map { order, body in
        let activity = CFRunLoopActivity.beforeWaiting.rawValue
        let observer = CFRunLoopObserverCreateWithHandler(nil, activity, true, order) { _, _ in
          MainThread.assumeIsolated(body)
        }
        CFRunLoopAddObserver(CFRunLoopGetMain(), observer, .commonModes)
        return ThreadSafe(observer)
      }
    }

    deinit {
      for observer in observers {
        if let observer = observer.object { CFRunLoopObserverInvalidate(observer) }
      }
    }
  }
#endif
