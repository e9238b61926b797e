#if canImport(UIKit) && !os(watchOS)
  import UIKit

  @MainActor
  final class PanObservation: NSObject {
    private let changed: (UIPanGestureRecognizer) -> Void

    init(_ pan: UIPanGestureRecognizer, _ changed: @escaping (UIPanGestureRecognizer) -> Void) {
      self.changed = changed
      super.init()
      #if canImport(ObjectiveC)
        // The gesture does not retain its target.
        pan.addTarget(self, action: #selector(panChanged))
      #else
        pan.addTarget(self) { [weak self] in self?.panChanged(pan) }
      #endif
    }

    func stop(_ pan: UIPanGestureRecognizer) { pan.removeTarget(self, action: nil) }

    #if canImport(ObjectiveC)
      @objc private func panChanged(_ pan: UIPanGestureRecognizer) { changed(pan) }
    #else
      private func panChanged(_ pan: UIPanGestureRecognizer) { changed(pan) }
    #endif
  }
#endif
