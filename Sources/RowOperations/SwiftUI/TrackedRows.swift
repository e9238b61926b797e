#if canImport(SwiftUI)
  import SwiftUI

  extension View {
    /// Connects a `List` or a `ScrollView` to the trackers that fill its rows.
    ///
    /// ```swift
    /// List(photos) { photo in TrackedRow(photo.id, tracker) { Text($0.value ?? "…") } }
    ///   .trackedRows(photos.map(\.id), tracker)
    /// ```
    ///
    /// - **Prefetch**: the trackers know the order of the rows and load those ahead by themselves,
    ///   as after ``DisplayTracker/setOrder(_:)``. The ids are compared when the view is evaluated,
    ///   and given to the trackers when they have changed.
    /// - **Landing**: from iOS 17, macOS 14, tvOS 17 and watchOS 10 on, the rows on which a fling
    ///   lands load first. In a `List`, whose target is not reported, that begins with iOS 18.
    /// - **Scrolling**: from iOS 18, macOS 15, tvOS 18, watchOS 11 and visionOS 2 on, SwiftUI
    ///   reports phases. Before, rows that appear one after the other are a scroll.
    /// - **Covers**: rows of a list that another screen covers are not displayed, and load when the
    ///   list is back.
    ///
    /// A list has one scroll target behavior. If it has another one than the system's, pass it to
    /// ``trackedRows(_:_:behavior:)``.
    ///
    /// **Threading**: main actor. **Cost**: O(trackers) for each frame that scrolls, O(rows on
    /// screen) for each fling, O(rows) when the ids change.
    ///
    /// - Parameters:
    ///   - ids: The rows in the order of the list; no two the same.
    ///   - trackers: Those that fill the list's rows.
    @MainActor
    public func trackedRows<Row: Hashable & Sendable, each Value: Sendable>(
      _ ids: some Sequence<Row>, _ trackers: repeat DisplayTracker<Row, each Value>
    ) -> some View {
      naturalLandings().modifier(TrackedRows(ids, repeat each trackers))
    }

    #if canImport(SwiftUI, _version: 5.0)
      /// Connects a `ScrollView` that has a scroll target behavior of its own, such as `.paging`.
      ///
      /// As `trackedRows(_:_:)`. The behavior decides where a fling lands, and the rows there load
      /// first.
      ///
      /// - Parameters:
      ///   - ids: The rows in the order of the list; no two the same.
      ///   - trackers: Those that fill the list's rows.
      ///   - behavior: What you would pass to `scrollTargetBehavior(_:)`, in its place.
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

  /// Keeps what trackers have to know of a list, and passes on what SwiftUI reports of it.
  @MainActor
  private struct TrackedRows<Row: Hashable & Sendable>: ViewModifier {
    /// What the list consists of.
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
        .onAppear {
          list.changed(to: source.ids, of: source.trackers)
          list.listAppeared()
        }
        .onDisappear { list.listDisappeared() }
        .onChangeOfValue(source) { list.changed(to: $0.ids, of: $0.trackers) }
    }
  }

  /// How rows find the list that they are in.
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
    /// `onChange` in the form that the system does not warn of.
    ///
    /// The closure is given the new value, since what it has captured may be of the old one.
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
