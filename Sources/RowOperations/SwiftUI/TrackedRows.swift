#if canImport(SwiftUI)
  import SwiftUI

  extension View {
    /// Connects a `List` or a `ScrollView` to the trackers of its rows.
    ///
    /// ```swift
    /// List(photos) { photo in TrackedRow(photo.id, tracker) { Text($0.value ?? "…") } }
    ///   .trackedRows(photos.lazy.map(\.id), tracker)
    /// ```
    ///
    /// - **Prefetch**: the trackers prefetch by themselves, as after
    ///   ``DisplayTracker/setOrder(_:)-(RandomAccessCollection<Row>)``. Each evaluation of the view
    ///   passes the ids on. Only those around the screen are read.
    /// - **Scrolling and landing**: from iOS 18, macOS 15, tvOS 18, watchOS 11 and visionOS 2 on,
    ///   the landing rows of a fling load in time. Rows that pass too fast do not load. On older
    ///   systems the order alone prefetches.
    /// - **Covers**: rows of a list under another screen are not displayed, and load when the list
    ///   is back.
    ///
    /// Pass a scroll target behavior of your own to ``trackedRows(_:_:behavior:)``.
    ///
    /// **Threading**: main actor. **Cost**: O(trackers) for each frame that scrolls, O(rows around
    /// the screen) for each fling and for each evaluation of the view. A sequence that is no
    /// random-access collection is copied, which is O(rows).
    ///
    /// - Parameters:
    ///   - ids: The rows in the order of the list. A row may be repeated.
    ///   - trackers: The trackers of the list's rows.
    @MainActor
    @inlinable
    public func trackedRows<Row: Hashable & Sendable, each Value: Sendable>(
      _ ids: some RandomAccessCollection<Row>, _ trackers: repeat DisplayTracker<Row, each Value>
    ) -> some View {
      trackedRows(of: RowSource(ids), repeat each trackers)
    }

    @MainActor
    @usableFromInline
    func trackedRows<Row: Hashable & Sendable, each Value: Sendable>(
      of source: RowSource<Row>, _ trackers: repeat DisplayTracker<Row, each Value>
    ) -> some View {
      modifier(TrackedRows(source, repeat each trackers))
    }

    /// Connects a `List` or a `ScrollView` of items with several rows, or none, to trackers.
    ///
    /// ```swift
    /// List(posts) { PostRow(post: $0, pictures: pictures, avatars: avatars) }
    ///   .trackedRows(posts.lazy.map(\.picture), pictures)
    ///   .trackedRows(posts, avatars, rows: { [$0.author.avatar] })
    /// ```
    ///
    /// Like `trackedRows(_:_:)`. A list has one such modifier for each type of row.
    ///
    /// - Parameters:
    ///   - items: The items of the list, in order, or their ids.
    ///   - trackers: The trackers of the views inside the rows.
    ///   - rows: Returns the rows of an item, in the order of prefetching.
    @MainActor
    @inlinable
    public func trackedRows<Item, Row: Hashable & Sendable, each Value: Sendable>(
      _ items: some RandomAccessCollection<Item>,
      _ trackers: repeat DisplayTracker<Row, each Value>,
      rows: @escaping @MainActor (Item) -> [Row]
    ) -> some View {
      trackedRows(of: RowSource(items, rows: rows), repeat each trackers)
    }

    /// Connects a `List` or a `ScrollView` to the trackers of its rows, whose ids are copied.
    ///
    /// Like `trackedRows(_:_:)`. **Cost**: O(rows) for each evaluation of the view.
    @_disfavoredOverload
    @MainActor
    public func trackedRows<Row: Hashable & Sendable, each Value: Sendable>(
      _ ids: some Sequence<Row>, _ trackers: repeat DisplayTracker<Row, each Value>
    ) -> some View {
      trackedRows(Array(ids), repeat each trackers)
    }

    #if canImport(SwiftUI, _version: 5.0)
      /// Connects a `ScrollView` with a scroll target behavior, such as `.paging`, to the trackers
      /// of its rows.
      ///
      /// Like `trackedRows(_:_:)`. The behavior decides the landing of a fling. The rows there load
      /// on the way, where SwiftUI reports it. Do not also call `scrollTargetBehavior(_:)`.
      @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
      @MainActor
      @inlinable
      public func trackedRows<Row: Hashable & Sendable, each Value: Sendable>(
        _ ids: some RandomAccessCollection<Row>, _ trackers: repeat DisplayTracker<Row, each Value>,
        behavior: some ScrollTargetBehavior
      ) -> some View {
        trackedRows(of: RowSource(ids), repeat each trackers, behavior: behavior)
      }

      @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
      @MainActor
      @usableFromInline
      func trackedRows<Row: Hashable & Sendable, each Value: Sendable>(
        of source: RowSource<Row>, _ trackers: repeat DisplayTracker<Row, each Value>,
        behavior: some ScrollTargetBehavior
      ) -> some View {
        modifier(LandingReporting(base: behavior))
          .modifier(TrackedRows(source, repeat each trackers))
      }
    #endif
  }

  @MainActor
  private struct TrackedRows<Row: Hashable & Sendable>: ViewModifier {
    /// By their identity.
    private struct Trackers: Equatable {
      let all: [any RowTracking<Row>]

      static func == (a: Trackers, b: Trackers) -> Bool {
        a.all.elementsEqual(b.all) { $0 === $1 }
      }
    }

    @MainActor
    private final class State: ObservableObject {
      let list = RowList<Row>()
    }

    private let order: RowSource<Row>
    private let trackers: Trackers
    @StateObject private var state = State()
    @Environment(\.rowPages) private var pages
    @Environment(\.rowLists) private var lists

    init<each Value: Sendable>(
      _ order: RowSource<Row>, _ trackers: repeat DisplayTracker<Row, each Value>
    ) {
      var all: [any RowTracking<Row>] = []
      repeat all.append(each trackers)
      self.order = order
      self.trackers = Trackers(all: all)
    }

    func body(content: Content) -> some View {
      let (list, order) = (state.list, order)
      let _ = list.pages = pages
      // Ids are not compared, which would be O(rows).
      let _ = list.orderChanged(to: order)
      content
        .reportsPhases(to: list)
        .environment(\.rowLists, lists.inside(list, of: trackers.all))
        // A list inside a row has pages of its own.
        .environment(\.rowPages, [])
        // A sheet inherits the environment, but not this space.
        .coordinateSpace(name: ObjectIdentifier(list))
        .onAppear {
          list.changed(to: order, of: trackers.all)
          list.listAppeared()
        }
        .onDisappear { list.listDisappeared() }
        .onChangeOfValue(trackers) { list.changed(to: order, of: $0.all) }
    }
  }

  extension View {
    /// Loads further pages of the list inside this view, which has the modifier `trackedRows`.
    ///
    /// ```swift
    /// List(feed.posts) { PostRow(post: $0, tracker: pictures) }
    ///   .trackedRows(feed.posts.lazy.map(\.picture), pictures)
    ///   .pagination(feed.pages)
    /// ```
    ///
    /// - Parameter pages: The pages at the ends of the list. Keep them in a model object or a
    ///   view's `@StateObject`.
    @MainActor
    public func pagination(_ pages: Pagination...) -> some View { pagination(pages) }

    /// Loads further pages of the list inside this view, or none while the array is empty.
    ///
    /// ```swift
    /// list.pagination(isSearching ? [] : [feed.pages])
    /// ```
    ///
    /// An `if` around the modifier would make another list, at its top; an empty array keeps the
    /// list and its scroll position.
    ///
    /// - Parameter pages: The pages at the ends of the list.
    @MainActor
    public func pagination(_ pages: [Pagination]) -> some View {
      environment(\.rowPages, pages)
    }
  }

  private struct RowPagesKey: EnvironmentKey {
    static var defaultValue: [Pagination] { [] }
  }

  extension EnvironmentValues {
    fileprivate var rowPages: [Pagination] {
      get { self[RowPagesKey.self] }
      set { self[RowPagesKey.self] = newValue }
    }
  }

  private struct RowListsKey: EnvironmentKey {
    static var defaultValue: EnclosingLists { EnclosingLists() }
  }

  extension EnvironmentValues {
    var rowLists: EnclosingLists {
      get { self[RowListsKey.self] }
      set { self[RowListsKey.self] = newValue }
    }
  }

  extension View {
    /// Without deprecation warnings.
    ///
    /// The closure's captures may hold the old value.
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
