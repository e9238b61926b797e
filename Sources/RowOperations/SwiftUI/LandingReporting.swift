#if canImport(SwiftUI)
  import Dispatch
  import SwiftUI

  #if canImport(SwiftUI, _version: 5.0)
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @MainActor
    struct LandingReporting<Base: ScrollTargetBehavior>: ViewModifier {
      let base: Base
      @Environment(\.rowLists) private var lists

      func body(content: Content) -> some View {
        content.scrollTargetBehavior(LandingBehavior(base: base, list: lists.nearest))
      }
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    private struct LandingBehavior<Base: ScrollTargetBehavior>: ScrollTargetBehavior {
      let base: Base
      let list: (any RowListing)?

      func updateTarget(_ target: inout ScrollTarget, context: TargetContext) {
        base.updateTarget(&target, context: context)
        guard let list else { return }
        let change = TargetChange(from: context, to: target)
        // Trackers report events to the app, which must not come during an evaluation of views.
        DispatchQueue.main.async { list.targetChanged(change) }
      }

      #if canImport(SwiftUI, _version: 7.0)
        @available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
        func properties(context: PropertiesContext) -> Properties {
          base.properties(context: context)
        }
      #endif
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    extension TargetChange {
      fileprivate init(from context: ScrollTargetBehaviorContext, to target: ScrollTarget) {
        let (start, end, velocity) = (context.originalTarget.rect, target.rect, context.velocity)
        let isVertical =
          context.axes.contains(.vertical)
          && (!context.axes.contains(.horizontal) || abs(velocity.dy) >= abs(velocity.dx))
        if isVertical {
          self.init(
            axis: .vertical, start: start.minY, end: end.minY, length: context.containerSize.height)
        } else {
          self.init(
            axis: .horizontal, start: start.minX, end: end.minX,
            length: context.containerSize.width)
        }
      }
    }
  #endif
#endif
