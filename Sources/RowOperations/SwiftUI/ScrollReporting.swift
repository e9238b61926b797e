#if canImport(SwiftUI)
  import SwiftUI

  extension View {
    /// Tells trackers when this `List` or `ScrollView` scrolls and when it rests.
    ///
    /// ```swift
    /// List(photos) { photo in TrackedRow(photo.id, tracker) { Text($0.value ?? "…") } }
    ///   .reportsScrolling(to: tracker)
    /// ```
    ///
    /// Needs iOS 18, macOS 15, tvOS 18, watchOS 11 or visionOS 2 and an SDK of at least these. Older
    /// ones do not tell whether a list scrolls: there the modifier does nothing, the list counts as
    /// resting, and nothing is held back, whatever the scroll policy. Where a fling will land SwiftUI
    /// does not tell in any version.
    ///
    /// **Threading**: main actor. **Cost**: O(trackers) for each frame that scrolls.
    ///
    /// - Parameter trackers: Those that fill the list's rows.
    @MainActor @ViewBuilder
    public func reportsScrolling<Row: Hashable & Sendable, each Value: Sendable>(
      to trackers: repeat DisplayTracker<Row, each Value>
    ) -> some View {
      #if canImport(_Concurrency, _version: 6.0)
        if #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *) {
          modifier(ScrollReporting(trackers: repeat each trackers))
        } else {
          self
        }
      #else
        self
      #endif
    }
  }

  #if canImport(_Concurrency, _version: 6.0)
    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @MainActor
    private struct ScrollReporting: ViewModifier {
      /// Holds what changes without evaluating a body.
      @MainActor
      final class Phases {
        var phases = ScrollPhases()
      }

      let tell: (ScrollAction) -> Void
      @State private var state = Phases()

      init<Row: Hashable & Sendable, each Value: Sendable>(
        trackers: repeat DisplayTracker<Row, each Value>
      ) {
        var all: [any RowTracking] = []
        repeat all.append(each trackers)
        tell = { [all] action in
          for tracker in all { tracker.scrolled(action) }
        }
      }

      func body(content: Content) -> some View {
        content
          .onScrollPhaseChange { _, phase in tell(state.phases.changed(to: ScrollStage(phase))) }
          .onScrollGeometryChange(for: CGPoint.self, of: \.contentOffset) { _, _ in
            tell(state.phases.offsetChanged())
          }
      }
    }

    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    extension ScrollStage {
      init(_ phase: ScrollPhase) {
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
  #endif
#endif
