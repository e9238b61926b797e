/// Computes the rows to prefetch around the visible ones as the list moves.
///
/// For lists that do not prefetch by themselves, or not enough. It reaches further in the direction
/// of travel, crosses sections of any size, stops at both ends, and returns the changes since the
/// last move.
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
  /// The position of a row: its section, and its number in the section.
  public struct Position: Hashable, Comparable, Sendable {
    /// The number of the section.
    public var section: Int
    /// The number of the row in its section.
    public var row: Int

    /// Makes a position.
    public init(section: Int = 0, row: Int) {
      self.section = section
      self.row = row
    }

    /// Whether one position is further up than the other.
    public static func < (a: Position, b: Position) -> Bool {
      (a.section, a.row) < (b.section, b.row)
    }
  }

  /// The changes of a move.
  public struct Change: Hashable, Sendable {
    /// The new positions in the window, ahead before behind, nearest first.
    public var added: [Position] = []
    /// The positions that left the window and are not visible.
    public var removed: [Position] = []
  }

  /// The number of rows behind the visible ones, in the direction of travel.
  public let before: Int
  /// The number of rows ahead of the visible ones, in the direction of travel.
  public let after: Int
  /// The positions in the window, ahead before behind, nearest first.
  public private(set) var positions: [Position] = []

  /// The former name of ``Position``.
  @available(*, deprecated, renamed: "Position")
  public typealias Place = Position

  /// The former name of ``positions``.
  @available(*, deprecated, renamed: "positions")
  public var places: [Position] { positions }

  private var visible: ClosedRange<Position>?
  private var isForward = true

  /// Makes an empty window.
  ///
  /// - Parameters:
  ///   - before: The number of rows behind the visible ones.
  ///   - after: The number of rows ahead of the visible ones.
  public init(before: Int = 10, after: Int = 10) {
    self.before = max(before, 0)
    self.after = max(after, 0)
  }

  /// Moves the window around the visible rows.
  ///
  /// - Parameters:
  ///   - visible: The first and the last visible row.
  ///   - sections: The number of sections.
  ///   - rows: Returns the number of rows in a section.
  /// - Returns: The rows to prefetch and those to cancel.
  public mutating func move(
    to visible: ClosedRange<Position>, sections: Int, rows: (Int) -> Int
  ) -> Change {
    if let last = self.visible, last != visible {
      // Where the ends move apart or together, as after a rotation, the direction stays.
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

  /// Moves the window around the visible rows, given in any order.
  ///
  /// For lists that name visible rows unsorted, as collection views do.
  ///
  /// - Parameters:
  ///   - visible: The positions of the visible rows. Without any, the window is empty.
  ///   - sections: The number of sections.
  ///   - rows: Returns the number of rows in a section.
  /// - Returns: The rows to prefetch and those to cancel.
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

  /// Moves the window around the visible rows of a list without sections.
  ///
  /// - Parameters:
  ///   - visible: The visible rows; not empty.
  ///   - count: The number of rows in the list.
  /// - Returns: The rows to prefetch and those to cancel, all in section 0.
  public mutating func move(to visible: ClosedRange<Int>, count: Int) -> Change {
    move(to: Position(row: visible.lowerBound)...Position(row: visible.upperBound), sections: 1) {
      _ in
      count
    }
  }

  /// Empties the window, because no row is visible or rows were inserted, deleted or moved.
  ///
  /// - Returns: The rows that were in the window.
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

  /// The positions next to one, nearest first.
  private static func positions(
    from start: Position, isForward: Bool, limit: Int, sections: Int, rows: (Int) -> Int
  ) -> [Position] {
    guard (0..<sections).contains(start.section) else { return [] }
    var positions: [Position] = []
    var position = start
    // A visible row may already be gone from the list.
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
