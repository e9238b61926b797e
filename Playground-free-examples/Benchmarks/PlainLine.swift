/// Rows that wait in a plain list and are found by their names: a dictionary, and an array whose
/// elements are linked.
///
/// It does what raising a row takes and nothing more: it finds the row, takes it out of the list of
/// rows that wait, and appends it to the list of rows that are displayed.
@MainActor
struct PlainLine {
  private struct Place {
    /// What the load of the row needs.
    let row: String
    var list: List
    var previous: Int
    var next: Int
  }

  private enum List: Int {
    case waiting, displayed
  }

  private struct Ends {
    var first = -1
    var last = -1
  }

  private var indices: [String: Int] = [:]
  private var places: [Place] = []
  private var waiting = Ends()
  private var displayed = Ends()

  init(_ rows: [String]) {
    for (index, row) in rows.enumerated() {
      indices[row] = index
      places.append(Place(row: row, list: .waiting, previous: -1, next: -1))
      Self.append(index, to: &waiting, in: &places)
    }
  }

  /// A row that waits comes on screen.
  mutating func raise(_ row: String) {
    guard let index = indices[row], places[index].list == .waiting else { return }
    Self.remove(index, from: &waiting, in: &places)
    places[index].list = .displayed
    Self.append(index, to: &displayed, in: &places)
  }

  /// A row that is displayed waits again, behind all others.
  mutating func lower(_ row: String) {
    guard let index = indices[row], places[index].list == .displayed else { return }
    Self.remove(index, from: &displayed, in: &places)
    places[index].list = .waiting
    Self.append(index, to: &waiting, in: &places)
  }

  private static func append(_ index: Int, to ends: inout Ends, in places: inout [Place]) {
    places[index].previous = ends.last
    places[index].next = -1
    if ends.last >= 0 { places[ends.last].next = index } else { ends.first = index }
    ends.last = index
  }

  private static func remove(_ index: Int, from ends: inout Ends, in places: inout [Place]) {
    let (previous, next) = (places[index].previous, places[index].next)
    if previous >= 0 { places[previous].next = next } else { ends.first = next }
    if next >= 0 { places[next].previous = previous } else { ends.last = previous }
  }
}
