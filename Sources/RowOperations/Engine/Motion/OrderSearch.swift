/// Searches the positions of a list outwards from one.
package struct OrderSearch: Hashable, Sendable {
  static let positionsPerTurn = 4_096

  private let center: Int
  private let count: Int
  private var distance = 0
  private var isBefore = false

  package init(from center: Int, count: Int) {
    self.center = min(max(center, 0), max(count - 1, 0))
    self.count = count
  }

  /// The nearest first; `nil` at the end.
  package mutating func next() -> Int? {
    while distance <= max(center, count - 1 - center) {
      let position = isBefore ? center - distance : center + distance
      if isBefore || distance == 0 { distance += 1 }
      isBefore = position > center
      if position >= 0, position < count { return position }
    }
    return nil
  }
}
