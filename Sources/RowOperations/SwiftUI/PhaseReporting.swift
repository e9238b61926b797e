#if canImport(SwiftUI)
  import Foundation
  import SwiftUI

  extension View {
    @MainActor @ViewBuilder
    func reportsPhases(to list: any RowListing) -> some View {
      #if canImport(SwiftUI, _version: 6.0)
        if #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *) {
          onScrollPhaseChange { _, phase, context in
            let geometry = context.geometry
            let axis = geometry.axis
            list.phaseChanged(
              to: ScrollStage(phase), along: axis,
              velocity: context.velocity.map { axis == .vertical ? $0.dy : $0.dx },
              extent: geometry.extent(along: axis))
          }
          .onScrollGeometryChange(for: CGPoint.self, of: \.contentOffset) { _, offset in
            list.offsetChanged(x: offset.x, y: offset.y)
          }
        } else {
          self
        }
      #else
        self
      #endif
    }

    @MainActor @ViewBuilder
    func onScrollVisibility(_ action: @escaping (Bool) -> Void) -> some View {
      #if canImport(SwiftUI, _version: 6.0)
        if #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *) {
          // A threshold of zero would never be crossed.
          onScrollVisibilityChange(threshold: 0.001, action)
        } else {
          self
        }
      #else
        self
      #endif
    }
  }

  #if canImport(SwiftUI, _version: 6.0)
    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    extension ScrollStage {
      fileprivate init(_ phase: ScrollPhase) {
        switch phase {
        case .idle: self = .resting
        case .tracking: self = .touched
        case .interacting: self = .dragged
        case .decelerating: self = .decelerating
        case .animating: self = .animated
        @unknown default: self = .resting
        }
      }
    }

    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    extension ScrollGeometry {
      fileprivate var axis: ScrollAxis {
        contentSize.height > containerSize.height || contentSize.width <= containerSize.width
          ? .vertical : .horizontal
      }

      fileprivate func extent(along axis: ScrollAxis) -> ScrollExtent {
        switch axis {
        case .vertical:
          ScrollExtent(
            offset: contentOffset.y, length: containerSize.height,
            contentLength: contentSize.height, leadingInset: contentInsets.top,
            trailingInset: contentInsets.bottom)
        case .horizontal:
          ScrollExtent(
            offset: contentOffset.x, length: containerSize.width,
            contentLength: contentSize.width, leadingInset: contentInsets.leading,
            trailingInset: contentInsets.trailing)
        }
      }
    }
  #endif
#endif
