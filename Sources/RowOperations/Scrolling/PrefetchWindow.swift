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
  public struct Position: Hashable, Comparable, Sendable {
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
    public static func < (a: Position, b: Position) -> Bool {
      (a.section, a.row) < (b.section, b.row)
    }
  }

  /// What a move has changed.
  public struct Change: Hashable, Sendable {
    /// What is in the window now and was not, ahead before behind, nearest first.
    public var added: [Position] = []
    /// What was in the window and is neither there nor visible.
    public var removed: [Position] = []
  }

  /// How many rows behind the visible ones belong to the window, seen in the direction of travel.
  public let before: Int
  /// How many rows ahead of the visible ones belong to the window, seen in the direction of travel.
  public let after: Int
  /// What is in the window, ahead before behind, nearest first.
  public private(set) var positions: [Position] = []

  @available(*, deprecated, renamed: "Position")
  public typealias Place = Position

  @available(*, deprecated, renamed: "positions")
  public var places: [Position] { positions }

  private var visible: ClosedRange<Position>?
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
    to visible: ClosedRange<Position>, sections: Int, rows: (Int) -> Int
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
    let down = Self.positions(
      from: visible.upperBound, isForward: true, limit: isForward ? after : before,
      sections: sections, rows: rows)
    let up = Self.positions(
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
    toVisible visible: some Sequence<Position>, sections: Int, rows: (Int) -> Int
  ) -> Change {
    var bounds: ClosedRange<Position>?
    for position in visible {
      bounds =
        bounds.map { min($0.lowerBound, position)...max($0.upperBound, position) }
        ?? position...position
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
    move(to: Position(row: visible.lowerBound)...Position(row: visible.upperBound), sections: 1) {
      _ in
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

  private mutating func change(to positions: [Position]) -> Change {
    let old = Set(self.positions)
    let new = Set(positions)
    let change = Change(
      added: positions.filter { !old.contains($0) },
      removed: self.positions.filter { !new.contains($0) && visible?.contains($0) != true })
    self.positions = positions
    return change
  }

  /// The places next to one, nearest first.
  private static func positions(
    from start: Position, isForward: Bool, limit: Int, sections: Int, rows: (Int) -> Int
  ) -> [Position] {
    guard (0..<sections).contains(start.section) else { return [] }
    var positions: [Position] = []
    var position = start
    // What counts as visible may be gone from the list already.
    position.row = min(position.row, rows(position.section))
    while positions.count < limit {
      position.row += isForward ? 1 : -1
      while isForward ? position.row >= rows(position.section) : position.row < 0 {
        position.section += isForward ? 1 : -1
        guard (0..<sections).contains(position.section) else { return positions }
        position.row = isForward ? 0 : rows(position.section) - 1
      }
      positions.append(position)
    }
    return positions
  }
}
