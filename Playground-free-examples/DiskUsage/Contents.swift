/// A folder's rows and their values so far.
struct Contents {
  let listing: Listing
  var order: RowOrder
  private(set) var total = Total()
  /// Rows that are not measured yet, the last name first.
  private(set) var due: [Int]
  private var tallies: [Tally?]

  init(_ listing: Listing, by key: RowOrder.Key) {
    self.listing = listing
    order = RowOrder(count: listing.entries.count)
    order.key = key
    due = (0..<listing.entries.count).reversed()
    tallies = Array(repeating: nil, count: listing.entries.count)
  }

  /// How many bytes the measured rows and the folder itself hold.
  var bytes: UInt64 { total.bytes.addingClamped(listing.bytes) }

  /// The path of the row at a place.
  func path(at place: Int) -> Path { listing.path(of: order[place]) }

  /// The value of the row at a place.
  func tally(at place: Int) -> Tally? { tallies[order[place]] }

  /// Takes the value that a row shows.
  ///
  /// - Parameters:
  ///   - tally: `nil` if the row shows none, as its measurement was cancelled.
  ///   - isFinal: Whether it is neither a running total nor to be measured again.
  mutating func shows(_ tally: Tally?, in row: Int, isFinal: Bool = true) {
    if let old = tallies[row] { total.remove(old) }
    tallies[row] = tally
    if let tally { total.add(tally) }
    order.setSize(tally?.bytes, of: row)
    guard isFinal else { return }
    let index = due.partitioningIndex { $0 <= row }
    if index < due.count, due[index] == row { due.remove(at: index) }
  }

  /// Marks all rows as due; their values stay until new ones come.
  mutating func measureAnew() { due = tallies.indices.reversed() }
}
