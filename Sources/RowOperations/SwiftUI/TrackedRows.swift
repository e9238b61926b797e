#if canImport(SwiftUI)
  import SwiftUI

  extension View {
    /// Connects a `List` or a `ScrollView` to the trackers of its rows.
    ///
    /// ```swift
    /// List(photos) { photo in TrackedRow(photo.id, tracker) { Text($0.value ?? "…") } }
    ///   .trackedRows(photos.map(\.id), tracker)
    /// ```
    ///
    /// - **Prefetch**: the trackers get the order of the rows and prefetch by themselves, as after
    ///   ``DisplayTracker/setOrder(_:)``. Each evaluation of the view compares the ids, and passes
    ///   them on if they have changed.
    /// - **Landing**: from iOS 17, macOS 14, tvOS 17 and watchOS 10 on, the landing rows of a fling
    ///   load first. A `List` does not report its target, so there it needs iOS 18.
    /// - **Scrolling**: from iOS 18, macOS 15, tvOS 18, watchOS 11 and visionOS 2 on, SwiftUI
    ///   reports phases. On older systems, rows that appear one after the other count as a scroll.
    /// - **Covers**: rows of a list under another screen are not displayed, and load when the list
    ///   is back.
    ///
    /// A list has one scroll target behavior. Pass a behavior of your own to
    /// ``trackedRows(_:_:behavior:)``.
    ///
    /// **Threading**: main actor. **Cost**: O(trackers) for each frame that scrolls, O(rows on
    /// screen) for each fling, O(rows) when the ids change.
    ///
    /// - Parameters:
    ///   - ids: The rows in the order of the list. A repeated row counts where it comes first.
    ///   - trackers: The trackers of the list's rows.
    @MainActor
    public func trackedRows<Row: Hashable & Sendable, each Value: Sendable>(
      _ ids: some Sequence<Row>, _ trackers: repeat DisplayTracker<Row, each Value>
    ) -> some View {
      naturalLandings().modifier(TrackedRows(ids, repeat each trackers))
    }

    #if canImport(SwiftUI, _version: 5.0)
      /// Connects a `ScrollView` with a scroll target behavior, such as `.paging`, to the trackers
      /// of its rows.
      ///
      /// Like `trackedRows(_:_:)`. The behavior decides the landing of a fling, and the rows there
      /// load first.
      ///
      /// - Parameters:
      ///   - ids: The rows in the order of the list. A repeated row counts where it comes first.
      ///   - trackers: The trackers of the list's rows.
      ///   - behavior: The behavior. Do not also call `scrollTargetBehavior(_:)`.
      @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
      @MainActor
      public func trackedRows<Row: Hashable & Sendable, each Value: Sendable>(
        _ ids: some Sequence<Row>, _ trackers: repeat DisplayTracker<Row, each Value>,
        behavior: some ScrollTargetBehavior
      ) -> some View {
        modifier(LandingReporting(base: behavior)).modifier(TrackedRows(ids, repeat each trackers))
      }
    #endif
  }

  /// Keeps the content of a list for its trackers, and forwards the reports of SwiftUI.
  @MainActor
  private struct TrackedRows<Row: Hashable & Sendable>: ViewModifier {
    /// The content of the list.
    private struct Source: Equatable {
      let ids: [Row]
      let trackers: [any RowTracking<Row>]

      static func == (a: Source, b: Source) -> Bool {
        a.trackers.elementsEqual(b.trackers) { $0 === $1 } && a.ids == b.ids
      }
    }

    @MainActor
    private final class State: ObservableObject {
      let list = RowList<Row>()
    }

    private let source: Source
    @StateObject private var state = State()

    init<each Value: Sendable>(
      _ ids: some Sequence<Row>, _ trackers: repeat DisplayTracker<Row, each Value>
    ) {
      var all: [any RowTracking<Row>] = []
      repeat all.append(each trackers)
      source = Source(ids: Array(ids), trackers: all)
    }

    func body(content: Content) -> some View {
      let (list, source) = (state.list, source)
      content
        .reportsPhases(to: list)
        .environment(\.rowList, list)
        // A sheet inherits the environment. It should not see the coordinate space.
        .coordinateSpace(name: ObjectIdentifier(list))
        .onAppear {
          list.changed(to: source.ids, of: source.trackers)
          list.listAppeared()
        }
        .onDisappear { list.listDisappeared() }
        .onChangeOfValue(source) { list.changed(to: $0.ids, of: $0.trackers) }
    }
  }

  /// The list that contains a row.
  private struct RowListKey: EnvironmentKey {
    static var defaultValue: (any RowListing)? { nil }
  }

  extension EnvironmentValues {
    var rowList: (any RowListing)? {
      get { self[RowListKey.self] }
      set { self[RowListKey.self] = newValue }
    }
  }

  extension View {
    /// `onChange` in the form without deprecation warnings.
    ///
    /// The closure receives the new value, since its captures may hold the old one.
    @ViewBuilder
    fileprivate func onChangeOfValue<Value: Equatable>(
      _ value: Value, perform action: @escaping (Value) -> Void
    ) -> some View {
      #if os(visionOS)
        onChange(of: value) { _, new in action(new) }
      #else
        onChange(of: value, perform: action)
      #endif
    }
  }
#endif
