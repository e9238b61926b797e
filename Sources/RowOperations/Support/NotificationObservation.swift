#if (canImport(UIKit) && !os(watchOS)) || (canImport(AppKit) && !targetEnvironment(macCatalyst))
  import Foundation

  /// For notifications on the main thread.
  ///
  /// It ends with this object, which any thread may release.
  final class NotificationObservation: Sendable {
    private let token: ThreadSafe<any NSObjectProtocol>

    /// - Parameters:
    ///   - sender: `nil` for all senders.
    ///   - body: Receives the sender, before the post returns.
    init(
      _ name: Notification.Name, from sender: AnyObject? = nil,
      _ body: @escaping @MainActor (_ sender: Any?) -> Void
    ) {
      let token = NotificationCenter.default.addObserver(
        forName: name, object: sender, queue: nil
      ) { notification in
        // The post is in progress, so nothing else uses the sender.
        let sender = ThreadSafe(notification.object)
        MainThread.assumeIsolated { body(sender.object) }
      }
      self.token = ThreadSafe(token)
    }

    deinit { NotificationCenter.default.removeObserver(token.object) }
  }
#endif
