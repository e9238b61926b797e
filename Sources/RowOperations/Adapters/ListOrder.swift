import Foundation

/// The positions of items, counted across sections.
struct ListPositions: Hashable {
  let counts: [Int]
  /// The first position of each section, then their number.
  private let starts: [Int]

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

  func item(at position: Int) -> ListPosition {
    var (low, high) = (0, counts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= position { low = middle } else { high = middle }
    }
    return ListPosition(section: low, row: position - starts[low])
  }

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
      body(ListItems(section: section, rows: row..<row + end - first, first: first))
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
struct OrderModel<Element> {
  @usableFromInline typealias Take = (_ position: Int, Element) -> Void

  @usableFromInline let counts: () -> [Int]
  /// Items beyond the model have no elements.
  @usableFromInline let read: @MainActor (_ items: ListItems, _ take: Take) -> Void

  @usableFromInline
  init(counts: @escaping () -> [Int], read: @escaping @MainActor (ListItems, Take) -> Void) {
    self.counts = counts
    self.read = read
  }
}

/// Reads the ids or the rows of a list from the app's model.
///
/// Inlinable, so that the closures are compiled for the app's types.
@frozen
@usableFromInline
package struct OrderReader<Element> {
  @usableFromInline let read: @MainActor () -> OrderModel<Element>

  @usableFromInline
  init(_ read: @escaping @MainActor () -> OrderModel<Element>) { self.read = read }

  /// The sections of the list follow each other.
  @inlinable
  static func flat(_ ids: @escaping @MainActor () -> [Element]) -> OrderReader {
    OrderReader {
      let ids = ids()
      return OrderModel(counts: { [ids.count] }) { items, take in
        for position in items.positions(below: ids.count) { take(position, ids[position]) }
      }
    }
  }

  @inlinable
  package static func sections(_ ids: @escaping @MainActor () -> [[Element]]) -> OrderReader {
    OrderReader {
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

  @inlinable
  static func lookUp(_ id: @escaping @MainActor (IndexPath) -> Element?) -> OrderReader {
    OrderReader {
      OrderModel(counts: { [] }) { items, take in
        for row in items.rows {
          if let id = id([items.section, row]) { take(items.position(ofRow: row), id) }
        }
      }
    }
  }

  /// Each item has several rows, or none.
  @inlinable
  func rows<Row>(_ rows: @escaping @MainActor (Element) -> [Row]) -> OrderReader<Row> {
    OrderReader<Row> { [read] in
      let model = read()
      return OrderModel<Row>(counts: model.counts) { items, take in
        model.read(items) { position, id in
          for row in rows(id) { take(position, row) }
        }
      }
    }
  }
}
