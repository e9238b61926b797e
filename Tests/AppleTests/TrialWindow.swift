#if canImport(UIKit) && !os(watchOS)
  import UIKit

  extension UIWindow {
    /// A window in the scene of the app that hosts the tests.
    ///
    /// Core Animation lays out no window without a scene.
    static func trial() -> UIWindow {
      let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 600))
      window.windowScene =
        UIApplication.shared.connectedScenes
        .compactMap { $0 as? UIWindowScene }.first { $0.activationState != .background }
      return window
    }
  }
#endif
