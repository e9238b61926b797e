/// The rows around the screen of one list, by position.
///
/// It reaches some screens ahead and behind the last motion, and keeps rows for a screen beyond.
@usableFromInline
package struct OrderWindow: Hashable, Sendable {
  /// A list, or a section of it that scrolls by itself.
  package struct Key: Hashable, Sendable {
    let list: ListNumber
    /// `nil` for the list itself.
    package let section: Int?

    init(list: ListNumber, section: Int? = nil) {
      self.list = list
      self.section = section
    }
  }

  /// The rows at a position.
  @frozen
  @usableFromInline
  package enum Place: Hashable, Sendable {
    case unread
    case row(RowID)
    /// An item with several rows, or with none.
    case rows([RowID])
  }

  struct Reach: Hashable, Sendable {
    var ahead: Int
    var behind: Int
  }

  package let key: Key
  /// Of the list, or of the section.
  package private(set) var bounds: Range<Int>
  package private(set) var shown: Range<Int>
  /// Whether its rows may be prefetched.
  private(set) var prefetches: Bool
  private(set) var isForward = true
  /// The window has moved or is new since the last ``takeMove()``.
  private var hasMoved = true
  private var first: Int
  private var places: [Place] = []
  /// The positions of the last report are read.
  package private(set) var isSettled = false
  /// The positions at the end of the report before.
  private var before: Before?
  /// From before a change of the data, until all positions are read again.
  private var old: [Place]?

  private struct Before: Hashable {
    let shown: Range<Int>
    let held: Range<Int>

    func moved(by distance: Int) -> Before {
      Before(
        shown: shown.lowerBound + distance..<shown.upperBound + distance,
        held: held.lowerBound + distance..<held.upperBound + distance)
    }
  }

  package init(_ key: Key, _ span: ShownPositions) {
    self.key = key
    bounds = span.bounds
    shown = span.shown
    prefetches = span.prefetches
    first = span.shown.lowerBound
  }

  var span: ShownPositions? {
    ShownPositions(section: key.section, bounds: bounds, shown: shown, prefetches: prefetches)
  }

  // MARK: Moving

  /// Whether a report brings nothing new.
  func agrees(with span: ShownPositions) -> Bool {
    bounds == span.bounds && shown == span.shown && prefetches == span.prefetches
  }

  /// - Parameter isOtherData: Whether all positions are to be read again.
  mutating func move(to span: ShownPositions, isOtherData: Bool) {
    if isSettled { before = Before(shown: shown, held: range) }
    isSettled = false
    if isOtherData, old == nil, before != nil {
      old = places
      places = .init(repeating: .unread, count: places.count)
    }
    (bounds, prefetches, shown) = (span.bounds, span.prefetches, span.shown)
    hasMoved = true
  }

  mutating func takeMove() -> Bool {
    defer { hasMoved = false }
    return hasMoved
  }

  /// Ends a report, once its positions are read.
  ///
  /// The window turns around with its list; after a change of the data it follows the first row of
  /// the screen that is still there.
  ///
  /// - Returns: The places from before the change.
  mutating func settle() -> [Place] {
    guard !isSettled else { return [] }
    let dropped = old ?? []
    let before = before?.moved(by: distanceOfRows).shown ?? shown
    // If the ends move apart or together, as after a rotation, the direction stays.
    let (first, last) = (shown.lowerBound, shown.upperBound)
    if shown != before {
      if first >= before.lowerBound, last >= before.upperBound {
        isForward = true
      } else if first <= before.lowerBound, last <= before.upperBound {
        isForward = false
      }
    }
    isSettled = true
    (self.before, old) = (nil, nil)
    return dropped
  }

  /// The rows that come on screen before half of the position does, and before half of it has left.
  func passing(_ position: Int, isForward: Bool) -> (entry: Double, exit: Double) {
    let (entry, exit) =
      isForward
      ? (position - shown.upperBound + 1, position - shown.lowerBound)
      : (shown.lowerBound - position, shown.upperBound - 1 - position)
    return (Double(entry) - 0.5, Double(exit) + 0.5)
  }

  /// The part in which the window claims the rows beside those on screen.
  func reach(_ window: PrefetchWindow) -> Reach {
    func positions(_ screens: Double) -> Int {
      Int(min(screens * Double(shown.count), Double(window.limit)).rounded(.up))
    }
    return Reach(ahead: positions(window.ahead), behind: positions(window.behind))
  }

  /// Those within a reach, and those next to the screen: their rows may be on it.
  func neededPositions(within reach: Reach) -> Range<Int> {
    guard prefetches else { return shown }
    return positions(within: Reach(ahead: max(reach.ahead, 1), behind: max(reach.behind, 1)))
  }

  /// Claims do not end at these positions yet.
  func mostPositions(within reach: Reach) -> Range<Int> {
    prefetches ? positions(within: reach, and: shown.count) : shown
  }

  func positions(within reach: Reach, and more: Int = 0) -> Range<Int> {
    let (before, after) =
      isForward ? (reach.behind, reach.ahead) : (reach.ahead, reach.behind)
    return (shown.lowerBound - before - more..<shown.upperBound + after + more)
      .clamped(to: bounds)
  }

  // MARK: Places

  /// Those that the window holds, read or not.
  package var range: Range<Int> { first..<first + places.count }

  /// Calls a closure with each row that the window holds, and its position.
  @inline(__always)
  func forEachRow(_ body: (_ position: Int, RowID) -> Void) {
    for index in places.indices { places[index].forEachRow { body(first + index, $0) } }
  }

  subscript(position: Int) -> Place {
    range.contains(position) ? places[position - first] : .unread
  }

  /// Runs of unread positions that the window holds.
  var unread: [Range<Int>] {
    var runs: [Range<Int>] = []
    var index = 0
    while let start = places[index...].firstIndex(where: { $0.isUnread }) {
      index = places[start...].firstIndex(where: { !$0.isUnread }) ?? places.count
      runs.append(first + start..<first + index)
    }
    return runs
  }

  func hasRead(_ range: Range<Int>) -> Bool {
    range.clamped(to: self.range) == range
      && range.allSatisfy { !places[$0 - first].isUnread }
  }

  /// The part on screen, from the first to the last position of a row there.
  ///
  /// - Parameter displays: The number of views on screen that show rows.
  /// - Returns: `nil` if the window holds no row on screen.
  package func visible(displays: Int, _ isOnScreen: (RowID) -> Bool) -> Range<Int>? {
    var positions: [Int] = []
    positions.reserveCapacity(displays)
    for index in places.indices {
      var isShown = false
      places[index].forEachRow { isShown = isShown || isOnScreen($0) }
      if isShown { positions.append(first + index) }
    }
    return VisibleRange.of(positions, displays: displays, near: shown.lowerBound)
  }

  func shows(_ row: RowID) -> Bool { shown.contains { self[$0].contains(row) } }

  /// The position nearest to the screen.
  func position(of row: RowID) -> Int? {
    var nearest: (position: Int, distance: Int)?
    for position in range where places[position - first].contains(row) {
      let distance = max(shown.lowerBound - position, position - shown.upperBound + 1, 0)
      if distance < nearest?.distance ?? .max { nearest = (position, distance) }
    }
    return nearest?.position
  }

  /// Holds these positions and no others.
  ///
  /// - Returns: The places that it no longer holds.
  mutating func hold(_ range: Range<Int>) -> [Place] {
    guard range != self.range else { return [] }
    guard range.overlaps(self.range) else {
      defer {
        first = range.lowerBound
        places = .init(repeating: .unread, count: range.count)
      }
      return places
    }
    let before = max(range.lowerBound - first, 0)
    let after = max(self.range.upperBound - range.upperBound, 0)
    let dropped = Array(places.prefix(before)) + places.suffix(after)
    places.removeLast(after)
    places.removeFirst(before)
    first += before
    if first > range.lowerBound {
      places.insert(
        contentsOf: repeatElement(.unread, count: first - range.lowerBound), at: 0)
      first = range.lowerBound
    }
    while places.count < range.count { places.append(.unread) }
    return dropped
  }

  /// - Returns: The places that the window does not lack, as the app has moved it meanwhile.
  mutating func read(_ new: [Place], at positions: Range<Int>) -> [Place] {
    if positions == range, places.allSatisfy({ $0.isUnread }) {
      places = new
      return []
    }
    var refused: [Place] = []
    for (position, place) in zip(positions, new) {
      if range.contains(position), places[position - first].isUnread {
        places[position - first] = place
      } else {
        refused.append(place)
      }
    }
    return refused
  }

  var all: [Place] { places }

  mutating func replace(_ gone: RowID, by kept: RowID) {
    places = places.map { $0.replacing(gone, by: kept) }
    old = old?.map { $0.replacing(gone, by: kept) }
  }

  // MARK: Changes of the data

  /// From before a change of the data, while positions are read again.
  var placesBefore: [Place] { old ?? [] }

  /// The rows that positions may still have.
  func guesses(at positions: Range<Int>) -> [Place] {
    guard let old, let before else { return Array(repeating: .unread, count: positions.count) }
    let start =
      positions.lowerBound - shown.lowerBound + before.shown.lowerBound - before.held.lowerBound
    return (start..<start + positions.count).map { old.indices.contains($0) ? old[$0] : .unread }
  }

  /// How far the first row of the screen that is still there has moved.
  private var distanceOfRows: Int {
    guard let old, let before else { return 0 }
    for position in before.shown {
      let index = position - before.held.lowerBound
      guard old.indices.contains(index), let row = old[index].firstRow,
        let now = self.position(of: row)
      else { continue }
      return now - position
    }
    return 0
  }
}
