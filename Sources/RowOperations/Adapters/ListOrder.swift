import Foundation

/// The positions of a list's items, counted across its sections.
struct ListPositions: Hashable {
  /// The number of items in each section.
  let counts: [Int]
  /// The first position of each section, then the number of positions.
  private let starts: [Int]

  /// Adds the counts up, in O(sections).
  init(_ counts: [Int] = []) {
    self.counts = counts
    var starts = [0]
    starts.reserveCapacity(counts.count + 1)
    for count in counts { starts.append(starts[starts.count - 1] + max(count, 0)) }
    self.starts = starts
  }

  var all: Range<Int> { 0..<starts[starts.count - 1] }

  /// The positions of a section; empty beyond the last one.
  func positions(ofSection section: Int) -> Range<Int> {
    counts.indices.contains(section) ? starts[section]..<starts[section + 1] : 0..<0
  }

  /// The position of an item; `nil` if the list has no such item.
  func position(of item: ListPosition) -> Int? {
    let section = positions(ofSection: item.section)
    return item.row >= 0 && item.row < section.count ? section.lowerBound + item.row : nil
  }

  /// The item at a position.
  ///
  /// O(log sections)
  func item(at position: Int) -> ListPosition {
    var (low, high) = (0, counts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= position { low = middle } else { high = middle }
    }
    return ListPosition(section: low, row: position - starts[low])
  }
}

/// The app's model at one moment, by the items of the list.
@frozen
@usableFromInline
struct OrderModel<Row> {
  /// The number of items in each section of the model.
  let counts: () -> [Int]
  /// Gives the rows of an item, by its place in its section and by its position; an item beyond the
  /// model has none.
  let read: @MainActor (_ item: ListPosition, _ position: Int, _ take: (Row) -> Void) -> Void

  @usableFromInline
  init(
    counts: @escaping () -> [Int],
    read: @escaping @MainActor (ListPosition, Int, (Row) -> Void) -> Void
  ) {
    self.counts = counts
    self.read = read
  }
}

/// Reads the order of a list from the app's model.
///
/// Its makers are inlinable, so that its closures are compiled for the app's types.
@frozen
@usableFromInline
package struct OrderReader<Row: Sendable> {
  let read: @MainActor () -> OrderModel<Row>
  /// The same order by the ids of its items, for trackers with other rows.
  let items: ItemReader

  @usableFromInline
  init(_ items: ItemReader, _ read: @escaping @MainActor () -> OrderModel<Row>) {
    (self.items, self.read) = (items, read)
  }
}

/// Reads the ids of a list's items, without their type.
@usableFromInline
package struct ItemReader {
  let type: Any.Type
  let read: @MainActor () -> OrderModel<Any>

  private init(_ type: Any.Type, _ read: @escaping @MainActor () -> OrderModel<Any>) {
    (self.type, self.read) = (type, read)
  }

  /// Reads ids in order, across sections.
  @usableFromInline
  static func flat<ID>(_ ids: @escaping @MainActor () -> [ID]) -> ItemReader {
    ItemReader(ID.self) {
      let ids = ids()
      return OrderModel(counts: { [ids.count] }) { _, position, take in
        if position < ids.count { take(ids[position]) }
      }
    }
  }

  /// Reads ids by section.
  @usableFromInline
  static func sections<ID>(_ ids: @escaping @MainActor () -> [[ID]]) -> ItemReader {
    ItemReader(ID.self) {
      let sections = ids()
      return OrderModel(counts: { sections.map(\.count) }) { item, _, take in
        guard item.section < sections.count, item.row < sections[item.section].count else { return }
        take(sections[item.section][item.row])
      }
    }
  }

  /// Looks up the row of each item by itself.
  @usableFromInline
  static func lookUp<Row>(_ row: @escaping @MainActor (IndexPath) -> Row?) -> ItemReader {
    ItemReader(Row.self) {
      OrderModel(counts: { [] }) { item, _, take in
        if let row = row([item.section, item.row]) { take(row) }
      }
    }
  }
}

extension OrderReader {
  /// Reads ids in order, across sections.
  @inlinable
  package static func flat<ID>(
    _ ids: @escaping @MainActor () -> [ID], rows: @escaping @MainActor (ID) -> [Row]
  ) -> OrderReader {
    expand(ids) { id, take in
      for row in rows(id) { take(row) }
    }
  }

  /// Reads ids by section.
  @inlinable
  package static func sections<ID>(
    _ ids: @escaping @MainActor () -> [[ID]], rows: @escaping @MainActor (ID) -> [Row]
  ) -> OrderReader {
    expand(ids) { id, take in
      for row in rows(id) { take(row) }
    }
  }

  /// Reads rows in order: each id is a row.
  @inlinable
  package static func flat(_ ids: @escaping @MainActor () -> [Row]) -> OrderReader {
    expand(ids) { row, take in take(row) }
  }

  /// Reads rows by section: each id is a row.
  @inlinable
  package static func sections(_ ids: @escaping @MainActor () -> [[Row]]) -> OrderReader {
    expand(ids) { row, take in take(row) }
  }

  /// Reads the rows of items whose ids have a type.
  static func items<ID>(
    of items: ItemReader, rows: @escaping @MainActor (ID) -> [Row]
  ) -> OrderReader {
    let read = items.read
    return OrderReader(items) {
      let model = read()
      return OrderModel(counts: model.counts) { item, position, take in
        model.read(item, position) { id in
          guard let id = id as? ID else { return }
          for row in rows(id) { take(row) }
        }
      }
    }
  }

  /// Looks up the row of each item by itself.
  @inlinable
  package static func lookUp(_ row: @escaping @MainActor (IndexPath) -> Row?) -> OrderReader {
    OrderReader(.lookUp(row)) {
      OrderModel(counts: { [] }) { item, _, take in
        if let row = row([item.section, item.row]) { take(row) }
      }
    }
  }

  @inlinable
  static func expand<ID>(
    _ ids: @escaping @MainActor () -> [ID],
    _ expand: @escaping @MainActor (ID, (Row) -> Void) -> Void
  ) -> OrderReader {
    OrderReader(.flat(ids)) {
      let ids = ids()
      return OrderModel(counts: { [ids.count] }) { _, position, take in
        if position < ids.count { expand(ids[position], take) }
      }
    }
  }

  @inlinable
  static func expand<ID>(
    _ ids: @escaping @MainActor () -> [[ID]],
    _ expand: @escaping @MainActor (ID, (Row) -> Void) -> Void
  ) -> OrderReader {
    OrderReader(.sections(ids)) {
      let sections = ids()
      return OrderModel(counts: { sections.map(\.count) }) { item, _, take in
        guard item.section < sections.count, item.row < sections[item.section].count else { return }
        expand(sections[item.section][item.row], take)
      }
    }
  }
}
