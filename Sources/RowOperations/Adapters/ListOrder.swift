import Foundation

/// The positions of items, counted across sections.
struct ListPositions: Hashable {
  let counts: [Int]
  /// The first position of each section, then their number.
  private let starts: [Int]

  /// O(sections).
  init(_ counts: [Int] = []) {
    self.counts = counts
    var starts = [0]
    starts.reserveCapacity(counts.count + 1)
    for count in counts { starts.append(starts[starts.count - 1] + max(count, 0)) }
    self.starts = starts
  }

  var all: Range<Int> { 0..<starts[starts.count - 1] }

  func positions(ofSection section: Int) -> Range<Int> {
    counts.indices.contains(section) ? starts[section]..<starts[section + 1] : 0..<0
  }

  func position(of item: ListPosition) -> Int? {
    let section = positions(ofSection: item.section)
    return item.row >= 0 && item.row < section.count ? section.lowerBound + item.row : nil
  }

  /// O(log sections).
  func item(at position: Int) -> ListPosition {
    var (low, high) = (0, counts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= position { low = middle } else { high = middle }
    }
    return ListPosition(section: low, row: position - starts[low])
  }

  /// O(log sections + sections there).
  @MainActor
  func forEachSection(at positions: Range<Int>, _ body: @MainActor (ListItems) -> Void) {
    guard !positions.isEmpty else { return }
    var section = item(at: positions.lowerBound).section
    var first = positions.lowerBound
    while first < positions.upperBound {
      // The last section goes on beyond its items, as the model may have more.
      let isLast = section >= counts.count - 1
      let end = isLast ? positions.upperBound : min(starts[section + 1], positions.upperBound)
      let row = first - starts[section]
      if first < end {
        body(ListItems(section: section, rows: row..<row + end - first, first: first))
      }
      (first, section) = (end, section + 1)
    }
  }
}

@frozen
@usableFromInline
struct ListItems {
  /// The position of the first item.
  @usableFromInline let section: Int
  @usableFromInline let rows: Range<Int>
  @usableFromInline let first: Int

  @usableFromInline
  init(section: Int, rows: Range<Int>, first: Int) {
    (self.section, self.rows, self.first) = (section, rows, first)
  }

  @inlinable
  func positions(below count: Int) -> Range<Int> {
    (first..<first + rows.count).clamped(to: 0..<count)
  }

  @inlinable
  func position(ofRow row: Int) -> Int { first + row - rows.lowerBound }
}

/// The app's model at one moment, by the items of the list.
@frozen
@usableFromInline
struct OrderModel<Row> {
  @usableFromInline typealias Take = (_ position: Int, Row) -> Void

  let counts: () -> [Int]
  /// Items beyond the model have no rows.
  let read: @MainActor (_ items: ListItems, _ take: Take) -> Void

  @usableFromInline
  init(
    counts: @escaping () -> [Int], read: @escaping @MainActor (ListItems, Take) -> Void
  ) {
    self.counts = counts
    self.read = read
  }

  @MainActor
  func read(_ item: ListPosition, at position: Int, _ take: (Row) -> Void) {
    let items = ListItems(section: item.section, rows: item.row..<item.row + 1, first: position)
    read(items) { take($1) }
  }
}

/// Reads the order of a list from the app's model.
///
/// Inlinable, so that the closures are compiled for the app's types.
@frozen
@usableFromInline
package struct OrderReader<Row: Sendable> {
  let read: @MainActor () -> OrderModel<Row>
  /// By the ids of the items, for trackers with other rows.
  let items: ItemReader

  @usableFromInline
  init(_ items: ItemReader, _ read: @escaping @MainActor () -> OrderModel<Row>) {
    (self.items, self.read) = (items, read)
  }
}

@usableFromInline
struct ItemReader {
  let type: Any.Type
  let read: @MainActor () -> OrderModel<Any>

  private init(_ type: Any.Type, _ read: @escaping @MainActor () -> OrderModel<Any>) {
    (self.type, self.read) = (type, read)
  }

  @usableFromInline
  static func flat<ID>(_ ids: @escaping @MainActor () -> [ID]) -> ItemReader {
    ItemReader(ID.self) {
      let ids = ids()
      return OrderModel(counts: { [ids.count] }) { items, take in
        for position in items.positions(below: ids.count) { take(position, ids[position]) }
      }
    }
  }

  @usableFromInline
  static func sections<ID>(_ ids: @escaping @MainActor () -> [[ID]]) -> ItemReader {
    ItemReader(ID.self) {
      let sections = ids()
      return OrderModel(counts: { sections.map(\.count) }) { items, take in
        guard items.section < sections.count else { return }
        let ids = sections[items.section]
        for row in items.rows.clamped(to: ids.indices) {
          take(items.position(ofRow: row), ids[row])
        }
      }
    }
  }

  @usableFromInline
  static func lookUp<Row>(_ row: @escaping @MainActor (IndexPath) -> Row?) -> ItemReader {
    ItemReader(Row.self) {
      OrderModel(counts: { [] }) { items, take in
        for item in items.rows {
          if let row = row([items.section, item]) { take(items.position(ofRow: item), row) }
        }
      }
    }
  }
}

extension OrderReader {
  @inlinable
  static func flat<ID>(
    _ ids: @escaping @MainActor () -> [ID], rows: @escaping @MainActor (ID) -> [Row]
  ) -> OrderReader {
    expand(ids) { id, position, take in
      for row in rows(id) { take(position, row) }
    }
  }

  @inlinable
  package static func sections<ID>(
    _ ids: @escaping @MainActor () -> [[ID]], rows: @escaping @MainActor (ID) -> [Row]
  ) -> OrderReader {
    expand(ids) { id, position, take in
      for row in rows(id) { take(position, row) }
    }
  }

  /// Each id is a row.
  @inlinable
  static func flat(_ ids: @escaping @MainActor () -> [Row]) -> OrderReader {
    expand(ids) { row, position, take in take(position, row) }
  }

  /// Each id is a row.
  @inlinable
  package static func sections(_ ids: @escaping @MainActor () -> [[Row]]) -> OrderReader {
    expand(ids) { row, position, take in take(position, row) }
  }

  static func items<ID>(
    of items: ItemReader, rows: @escaping @MainActor (ID) -> [Row]
  ) -> OrderReader {
    let read = items.read
    return OrderReader(items) {
      let model = read()
      return OrderModel(counts: model.counts) { items, take in
        model.read(items) { position, id in
          guard let id = id as? ID else { return }
          for row in rows(id) { take(position, row) }
        }
      }
    }
  }

  @inlinable
  static func lookUp(_ row: @escaping @MainActor (IndexPath) -> Row?) -> OrderReader {
    OrderReader(.lookUp(row)) {
      OrderModel(counts: { [] }) { items, take in
        for item in items.rows {
          if let row = row([items.section, item]) { take(items.position(ofRow: item), row) }
        }
      }
    }
  }

  @inlinable
  static func expand<ID>(
    _ ids: @escaping @MainActor () -> [ID],
    _ expand: @escaping @MainActor (ID, _ position: Int, OrderModel<Row>.Take) -> Void
  ) -> OrderReader {
    OrderReader(.flat(ids)) {
      let ids = ids()
      return OrderModel(counts: { [ids.count] }) { items, take in
        for position in items.positions(below: ids.count) { expand(ids[position], position, take) }
      }
    }
  }

  @inlinable
  static func expand<ID>(
    _ ids: @escaping @MainActor () -> [[ID]],
    _ expand: @escaping @MainActor (ID, _ position: Int, OrderModel<Row>.Take) -> Void
  ) -> OrderReader {
    OrderReader(.sections(ids)) {
      let sections = ids()
      return OrderModel(counts: { sections.map(\.count) }) { items, take in
        guard items.section < sections.count else { return }
        let ids = sections[items.section]
        for row in items.rows.clamped(to: ids.indices) {
          expand(ids[row], items.position(ofRow: row), take)
        }
      }
    }
  }
}
