#if canImport(SwiftUI)
  import SwiftUI

  /// A row of a `List`, a `LazyVStack` or a `LazyVGrid`, filled by a ``DisplayTracker``.
  ///
  /// ```swift
  /// List(photos) { photo in
  ///   TrackedRow(photo.id, tracker) { phase in
  ///     ThumbnailView(image: phase.value, isFailed: phase.error != nil)
  ///   }
  /// }
  /// ```
  ///
  /// The row counts as displayed from its `onAppear` to its `onDisappear`, or to the end of its state,
  /// where `onDisappear` never comes, as in lazy stacks. It may appear again and again, be evaluated
  /// ahead and never be shown, which loads nothing, or be given another id, whose value it shows and
  /// no other's.
  ///
  /// Apply what concerns the row as a whole (`listRowInsets`, `swipeActions`) to the `TrackedRow`, not
  /// inside: what the closure makes stands in a container, so that a row with nothing to show yet
  /// appears all the same.
  ///
  /// **Threading**: main actor. **Cancellation**: a row that left the screen without having been
  /// loaded is cancelled when the configuration's grace is over, or earlier if its slot is needed.
  /// **Cost**: one evaluation of the content for each phase.
  @MainActor
  public struct TrackedRow<Row: Hashable & Sendable, Value: Sendable, Content: View>: View {
    /// What the row shows, and of whom.
    private struct Place: Equatable {
      let row: Row
      let tracker: DisplayTracker<Row, Value>

      static func == (a: Place, b: Place) -> Bool { a.row == b.row && a.tracker === b.tracker }
    }

    private let row: Row
    private let tracker: DisplayTracker<Row, Value>
    private let content: (RowPhase<Value>) -> Content
    @StateObject private var state = TrackedRowState<Row, Value>()

    /// Makes a row.
    ///
    /// - Parameters:
    ///   - row: The row's identity in your model.
    ///   - tracker: Keep it outside of the list: in a model object, or a view's `@State`.
    ///   - content: Shows a phase.
    public init(
      _ row: Row, _ tracker: DisplayTracker<Row, Value>,
      @ViewBuilder content: @escaping (RowPhase<Value>) -> Content
    ) {
      self.row = row
      self.tracker = tracker
      self.content = content
    }

    /// The content for the phase of the moment.
    public var body: some View {
      let presence = state.presence
      ZStack { content(presence.phase(of: row, in: tracker)) }
        .onAppear { presence.appeared(row, in: tracker) }
        .onDisappear { presence.disappeared() }
        .onChangeOfValue(Place(row: row, tracker: tracker)) { new in
          presence.changed(to: new.row, in: new.tracker)
        }
    }
  }

  /// What a row keeps while it has its place: the presence, and the means to be evaluated again.
  @MainActor
  private final class TrackedRowState<Row: Hashable & Sendable, Value: Sendable>: ObservableObject {
    /// Something published is what makes the object's publisher one and the same each time.
    @Published private var changes = 0

    private(set) lazy var presence = RowPresence<Row, Value> { [weak self] in
      self?.changes &+= 1
    }
  }

  extension View {
    /// `onChange` in the form that the system does not warn of.
    ///
    /// The closure is given the new value, as what it has captured may be of the old one.
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
