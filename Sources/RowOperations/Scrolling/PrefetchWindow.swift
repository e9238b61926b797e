/// Which rows around the visible ones to prefetch, as the list moves.
///
/// For lists that do not prefetch by themselves, or not enough. It looks further ahead in the
/// direction of travel, walks across sections of any size, stops at both ends, and says what has
/// changed since it was asked the last time.
///
/// ```swift
/// var window = PrefetchWindow(before: 5, after: 10)
/// let change = window.move(to: first...last, sections: view.numberOfSections) {
///   view.numberOfRows(inSection: $0)
/// }
/// tracker.prefetch(change.added.map(row))
/// tracker.cancelPrefetch(change.removed.map(row))
/// ```
///
/// **Cost**: O(window + empty sections within it) per move.
public struct PrefetchWindow: Hashable, Sendable {
  /// Where a row is.
  public struct Place: Hashable, Comparable, Sendable {
    /// The number of the section.
    public var section: Int
    /// The number of the row in its section.
    public var row: Int

    /// Makes a place.
    public init(section: Int = 0, row: Int) {
      self.section = section
      self.row = row
    }

    /// Whether one place is further up than the other.
    public static func < (a: Place, b: Place) -> Bool {
      (a.section, a.row) < (b.section, b.row)
    }
  }

  /// What a move has changed.
  public struct Change: Hashable, Sendable {
    /// What is in the window now and was not, ahead before behind, nearest first.
    public var added: [Place] = []
    /// What was in the window and is neither there nor visible.
    public var removed: [Place] = []
  }

  /// How many rows behind the visible ones belong to the window, seen in the direction of travel.
  public let before: Int
  /// How many rows ahead of the visible ones belong to the window, seen in the direction of travel.
  public let after: Int
  /// What is in the window, ahead before behind, nearest first.
  public private(set) var places: [Place] = []

  private var visible: ClosedRange<Place>?
  private var isForward = true

  /// Makes a window that has not been anywhere.
  ///
  /// - Parameters:
  ///   - before: How many rows to look behind.
  ///   - after: How many rows to look ahead.
  public init(before: Int = 10, after: Int = 10) {
    self.before = max(before, 0)
    self.after = max(after, 0)
  }

  /// The visible rows are these now.
  ///
  /// - Parameters:
  ///   - visible: From the first visible row to the last.
  ///   - sections: How many sections there are.
  ///   - rows: How many rows a section has.
  /// - Returns: What is to be prefetched and what is not any more.
  public mutating func move(
    to visible: ClosedRange<Place>, sections: Int, rows: (Int) -> Int
  ) -> Change {
    if let last = self.visible, last != visible {
      // Where the ends move apart or together, as when the list is rotated, it goes on as it did.
      if visible.lowerBound >= last.lowerBound, visible.upperBound >= last.upperBound {
        isForward = true
      } else if visible.lowerBound <= last.lowerBound, visible.upperBound <= last.upperBound {
        isForward = false
      }
    }
    self.visible = visible
    let down = Self.places(
      from: visible.upperBound, isForward: true, limit: isForward ? after : before,
      sections: sections, rows: rows)
    let up = Self.places(
      from: visible.lowerBound, isForward: false, limit: isForward ? before : after,
      sections: sections, rows: rows)
    return change(to: isForward ? down + up : up + down)
  }

  /// The visible rows are these now, in any order.
  ///
  /// For lists that name visible rows unsorted, as collection views do.
  ///
  /// - Parameters:
  ///   - visible: The places of the visible rows; if there are none, the window is empty.
  ///   - sections: How many sections there are.
  ///   - rows: How many rows a section has.
  /// - Returns: What is to be prefetched and what is not any more.
  public mutating func move(
    toVisible visible: some Sequence<Place>, sections: Int, rows: (Int) -> Int
  ) -> Change {
    var bounds: ClosedRange<Place>?
    for place in visible {
      bounds = bounds.map { min($0.lowerBound, place)...max($0.upperBound, place) } ?? place...place
    }
    guard let bounds else { return reset() }
    return move(to: bounds, sections: sections, rows: rows)
  }

  /// The visible rows of a list without sections are these now.
  ///
  /// - Parameters:
  ///   - visible: The visible rows; not empty.
  ///   - count: How many rows there are.
  /// - Returns: What is to be prefetched and what is not any more; all in section 0.
  public mutating func move(to visible: ClosedRange<Int>, count: Int) -> Change {
    move(to: Place(row: visible.lowerBound)...Place(row: visible.upperBound), sections: 1) { _ in
      count
    }
  }

  /// Nothing is visible, or rows have been inserted, deleted or moved: forgets where it was.
  ///
  /// - Returns: What was in the window.
  public mutating func reset() -> Change {
    visible = nil
    isForward = true
    return change(to: [])
  }

  private mutating func change(to places: [Place]) -> Change {
    let old = Set(self.places)
    let new = Set(places)
    let change = Change(
      added: places.filter { !old.contains($0) },
      removed: self.places.filter { !new.contains($0) && visible?.contains($0) != true })
    self.places = places
    return change
  }

  /// The places next to one, nearest first.
  private static func places(
    from start: Place, isForward: Bool, limit: Int, sections: Int, rows: (Int) -> Int
  ) -> [Place] {
    guard (0..<sections).contains(start.section) else { return [] }
    var places: [Place] = []
    var place = start
    // What counts as visible may be gone from the list already.
    place.row = min(place.row, rows(place.section))
    while places.count < limit {
      place.row += isForward ? 1 : -1
      while isForward ? place.row >= rows(place.section) : place.row < 0 {
        place.section += isForward ? 1 : -1
        guard (0..<sections).contains(place.section) else { return places }
        place.row = isForward ? 0 : rows(place.section) - 1
      }
      places.append(place)
    }
    return places
  }
}
