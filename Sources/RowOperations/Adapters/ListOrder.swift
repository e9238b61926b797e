/// The rows of a list in their order, and the rows of each position.
///
/// A position is a section and an item in it, as the list numbers them. An item has one row,
/// several, or none. A position beyond the ids, such as that of a spinner at the end, has none.
package struct ListOrder<Row: Sendable>: Sendable {
  /// All rows, section by section.
  package let rows: [Row]
  /// The number of items in each section, as the list counts them.
  let counts: [Int]
  /// The first item of each section, then the number of items.
  private let sections: [Int]
  /// The first row of each item, then the number of rows; `nil` if each item is a row.
  private let items: [Int]?

  /// Makes an empty order.
  package init() { (rows, counts, sections, items) = ([], [], [0], nil) }

  fileprivate init(_ rows: [Row], items: [Int]?, sections: [Int], counts: [Int]) {
    (self.rows, self.items, self.sections, self.counts) = (rows, items, sections, counts)
  }

  /// The row numbers of a position; empty without a row.
  ///
  /// O(1)
  package func rows(at position: ListPosition) -> Range<Int> {
    guard position.section >= 0, position.section < sections.count - 1, position.row >= 0 else {
      return 0..<0
    }
    let item = sections[position.section] + position.row
    let count = items.map { $0.count - 1 } ?? rows.count
    guard item < sections[position.section + 1], item < count else { return 0..<0 }
    return items.map { $0[item]..<$0[item + 1] } ?? item..<item + 1
  }
}

/// Reads the order of a list from the app's model.
///
/// The closure receives the number of items in each section, as the list counts them.
struct OrderReader<Row: Sendable> {
  let read: @MainActor (_ counts: [Int]) -> ListOrder<Row>
}

extension OrderReader {
  /// Reads ids in order, across sections.
  static func flat<ID>(
    _ ids: @escaping @MainActor () -> [ID], rows: @escaping @MainActor (ID) -> [Row]
  ) -> OrderReader {
    OrderReader { counts in
      let (all, items) = expand(ids(), rows)
      return ListOrder(all, items: items, sections: starts(of: counts), counts: counts)
    }
  }

  /// Reads ids by section.
  static func sections<ID>(
    _ ids: @escaping @MainActor () -> [[ID]], rows: @escaping @MainActor (ID) -> [Row]
  ) -> OrderReader {
    OrderReader { counts in
      let sections = ids()
      let (all, items) = expand(sections.flatMap(\.self), rows)
      return ListOrder(
        all, items: items, sections: starts(of: sections.map(\.count)), counts: counts)
    }
  }

  /// Reads rows in order: each id is a row.
  static func flat(_ ids: @escaping @MainActor () -> [Row]) -> OrderReader {
    OrderReader { counts in
      ListOrder(ids(), items: nil, sections: starts(of: counts), counts: counts)
    }
  }

  /// Reads rows by section: each id is a row.
  static func sections(_ ids: @escaping @MainActor () -> [[Row]]) -> OrderReader {
    OrderReader { counts in
      let sections = ids()
      return ListOrder(
        sections.flatMap(\.self), items: nil, sections: starts(of: sections.map(\.count)),
        counts: counts)
    }
  }

  private static func starts(of counts: [Int]) -> [Int] {
    var starts = [0]
    starts.reserveCapacity(counts.count + 1)
    var sum = 0
    for count in counts {
      sum += max(count, 0)
      starts.append(sum)
    }
    return starts
  }

  @MainActor
  private static func expand<ID>(
    _ ids: [ID], _ rows: @MainActor (ID) -> [Row]
  ) -> (rows: [Row], items: [Int]) {
    var all: [Row] = []
    var items = [0]
    items.reserveCapacity(ids.count + 1)
    for id in ids {
      all += rows(id)
      items.append(all.count)
    }
    return (all, items)
  }
}
