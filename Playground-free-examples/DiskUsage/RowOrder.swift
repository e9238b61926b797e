/// The places of rows while their sizes arrive.
///
/// The number of a row is its place by name.
struct RowOrder: Sendable {
  enum Key: Sendable { case size, name }

  var key = Key.size
  private var sizes: [UInt64?]
  /// Rows with a size, the largest first, then by name.
  private var sized: [Int] = []
  /// The other rows, the last name first: most of them leave at the front.
  private var unsized: [Int]

  init(count: Int) {
    sizes = Array(repeating: nil, count: count)
    unsized = (0..<count).reversed()
  }

  var count: Int { sizes.count }
  var largest: UInt64 { sized.first.flatMap { sizes[$0] } ?? 0 }

  /// The row at a place; by size, rows without a size come last.
  subscript(place: Int) -> Int {
    switch key {
    case .name: place
    case .size: place < sized.count ? sized[place] : unsized[count - 1 - place]
    }
  }

  func place(of row: Int) -> Int {
    switch key {
    case .name: row
    case .size: sizes[row].map { sizedPlace(of: row, $0) } ?? count - 1 - unsizedIndex(of: row)
    }
  }

  /// - Parameter size: `nil` if the row has no size any more.
  mutating func setSize(_ size: UInt64?, of row: Int) {
    guard sizes[row] != size else { return }
    if let old = sizes[row] {
      sized.remove(at: sizedPlace(of: row, old))
    } else {
      unsized.remove(at: unsizedIndex(of: row))
    }
    sizes[row] = size
    if let size {
      sized.insert(row, at: sizedPlace(of: row, size))
    } else {
      unsized.insert(row, at: unsizedIndex(of: row))
    }
  }

  private func sizedPlace(of row: Int, _ size: UInt64) -> Int {
    sized.partitioningIndex { other in
      let otherSize = sizes[other] ?? 0
      return otherSize == size ? other >= row : otherSize < size
    }
  }

  private func unsizedIndex(of row: Int) -> Int { unsized.partitioningIndex { $0 <= row } }
}
