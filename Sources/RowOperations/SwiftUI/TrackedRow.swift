#if canImport(SwiftUI)
  import Foundation
  import SwiftUI

  /// A row of a `List`, a `LazyVStack` or a `LazyVGrid`, filled by a ``DisplayTracker``.
  ///
  /// ```swift
  /// List(photos) { photo in
  ///   TrackedRow(photo.id, tracker) { phase in
  ///     ThumbnailView(image: phase.value, isFailed: phase.error != nil)
  ///   }
  /// }
  /// .trackedRows(photos.map(\.id), tracker)
  /// ```
  ///
  /// An evaluation of the row binds it and starts nothing. The row is displayed from its `onAppear`
  /// to its `onDisappear`, or to the end of its state. From iOS 18, macOS 15, tvOS 18, watchOS 11
  /// and visionOS 2 on, its visibility counts too, since lazy stacks may never call `onDisappear`.
  ///
  /// A row on screen that is removed from the tracker loads again by itself.
  ///
  /// Give a placeholder the size of the later content: a lazy stack fills the screen with as many
  /// placeholders as fit, and loads all of them.
  ///
  /// Apply modifiers for the whole row (`listRowInsets`, `swipeActions`) to the `TrackedRow`.
  ///
  /// **Threading**: main actor. **Cancellation**: the load of a row off screen is cancelled after
  /// the configuration's grace, or earlier if its slot is needed. **Cost**: one evaluation of the
  /// content for each change of the phase; one for a row that comes on screen with its value.
  @MainActor
  public struct TrackedRow<Row: Hashable & Sendable, Value: Sendable, Content: View>: View {
    private let row: Row
    private let tracker: DisplayTracker<Row, Value>
    private let content: (RowPhase<Value>) -> Content
    @StateObject private var state = TrackedRowState<Row, Value>()
    @Environment(\.rowLists) private var lists

    /// Makes a row.
    ///
    /// - Parameters:
    ///   - row: The row's identity in your model, not an index.
    ///   - tracker: The tracker. Keep it in a model object, a view's `@State`, or the environment.
    ///   - content: Shows a phase.
    public init(
      _ row: Row, _ tracker: DisplayTracker<Row, Value>,
      @ViewBuilder content: @escaping (RowPhase<Value>) -> Content
    ) {
      self.row = row
      self.tracker = tracker
      self.content = content
    }

    /// The content for the current phase.
    public var body: some View {
      let (state, row, tracker, list) = (state, row, tracker, lists.list(of: tracker))
      ZStack { content(state.phase(of: row, in: tracker)) }
        .reportsFrame(to: list == nil ? nil : state)
        .onAppear {
          state.presence.appeared(row, in: tracker)
          state.listed(in: list, as: row)
        }
        .onDisappear {
          state.presence.disappeared()
          state.listed(in: nil, as: row)
        }
        .onScrollVisibility {
          state.presence.scrolled(isVisible: $0, row, in: tracker)
          // The list may have come back without an `onAppear` of the row.
          if $0 { state.listed(in: list, as: row) }
        }
    }
  }

  @MainActor
  private final class TrackedRowState<Row: Hashable & Sendable, Value: Sendable>: ObservableObject,
    ListedRow, FrameHolder
  {
    /// Without a published property, the object would make a new publisher each time.
    @Published private var changes = 0
    private var list: (any RowListing)?
    private var listedRow: Row?
    var frame: GeometryProxy?

    private(set) lazy var presence = RowPresence<Row, Value> { [weak self] in
      self?.changes &+= 1
    }

    /// It may differ from that of the last evaluation.
    func phase(of row: Row, in tracker: DisplayTracker<Row, Value>) -> RowPhase<Value> {
      if let list, let listedRow, listedRow != row {
        list.rowChanged(to: AnyHashable(row), self)
        self.listedRow = row
      }
      return presence.phase(of: row, in: tracker)
    }

    func listed(in new: (any RowListing)?, as row: Row) {
      if let list, let listedRow, list !== new || listedRow != row {
        list.rowDisappeared(self)
      }
      list = new
      listedRow = row
      new?.rowAppeared(AnyHashable(row), self)
    }

    func listCovered(_ isCovered: Bool) { presence.listCovered(isCovered) }

    func isInside(_ list: any RowListing) -> Bool? {
      #if canImport(SwiftUI, _version: 5.0)
        guard let frame, #available(iOS 17, macOS 14, tvOS 17, watchOS 10, *) else { return nil }
        return frame.bounds(of: .named(ObjectIdentifier(list))) != nil
      #else
        return nil
      #endif
    }

    func stretch(along axis: ScrollAxis) -> ClosedRange<Double>? {
      #if canImport(SwiftUI, _version: 5.0)
        guard let frame, #available(iOS 17, macOS 14, tvOS 17, watchOS 10, *) else { return nil }
        switch axis {
        case .horizontal:
          return frame.frame(in: .scrollView(axis: .horizontal)).stretch(along: axis)
        case .vertical: return frame.frame(in: .scrollView(axis: .vertical)).stretch(along: axis)
        }
      #else
        return nil
      #endif
    }
  }

  extension CGRect {
    fileprivate func stretch(along axis: ScrollAxis) -> ClosedRange<Double>? {
      guard !isNull, !isInfinite else { return nil }
      switch axis {
      case .horizontal: return Double(minX)...Double(maxX)
      case .vertical: return Double(minY)...Double(maxY)
      }
    }
  }

  /// Access to a frame without an evaluation of the view.
  @MainActor
  private protocol FrameHolder: AnyObject {
    var frame: GeometryProxy? { get set }
  }

  extension View {
    @MainActor @ViewBuilder
    fileprivate func reportsFrame(to holder: (any FrameHolder)?) -> some View {
      if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, *), let holder {
        background {
          GeometryReader { proxy in
            let _ = holder.frame = proxy
            Color.clear
          }
        }
      } else {
        self
      }
    }
  }
#endif
