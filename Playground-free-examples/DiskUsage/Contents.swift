/// A folder's rows, and what is known of them so far.
struct Contents {
  let listing: Listing
  var order: RowOrder
  private(set) var total = Total()
  /// Rows that are to be measured, the last name first.
  private(set) var due: [Int]
  private var tallies: [Tally?]

  init(_ listing: Listing, by key: RowOrder.Key) {
    self.listing = listing
    order = RowOrder(count: listing.entries.count)
    order.key = key
    due = (0..<listing.entries.count).reversed()
    tallies = Array(repeating: nil, count: listing.entries.count)
  }

  /// How many bytes the folder holds, itself included, as far as that is known.
  var bytes: UInt64 { total.bytes.addingClamped(listing.bytes) }

  /// The path of the row at a place.
  func path(at place: Int) -> Path { listing.path(of: order[place]) }

  /// What is known of the row at a place.
  func tally(at place: Int) -> Tally? { tallies[order[place]] }

  /// A row has been measured.
  ///
  /// - Parameter isOld: Whether it is to be measured anew all the same.
  mutating func measured(_ tally: Tally, of row: Int, isOld: Bool = false) {
    if let old = tallies[row] { total.remove(old) }
    tallies[row] = tally
    total.add(tally)
    order.setSize(tally.bytes, of: row)
    guard !isOld else { return }
    let index = due.partitioningIndex { $0 <= row }
    if index < due.count, due[index] == row { due.remove(at: index) }
  }

  /// All rows are to be measured again; what is known of them stands until then.
  mutating func measureAnew() { due = tallies.indices.reversed() }
}
