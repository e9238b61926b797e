/// Rows that wait in a plain list: a dictionary by name, and an array with linked elements.
///
/// It does only the work of raising a row: it finds the row, takes it out of the list of waiting
/// rows, and appends it to the list of displayed rows.
@MainActor
struct PlainLine {
  private struct Node {
    /// The data for the load of the row.
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
  private var nodes: [Node] = []
  private var waiting = Ends()
  private var displayed = Ends()

  init(_ rows: [String]) {
    for (index, row) in rows.enumerated() {
      indices[row] = index
      nodes.append(Node(row: row, list: .waiting, previous: -1, next: -1))
      Self.append(index, to: &waiting, in: &nodes)
    }
  }

  /// Moves a waiting row to the displayed rows.
  mutating func raise(_ row: String) {
    guard let index = indices[row], nodes[index].list == .waiting else { return }
    Self.remove(index, from: &waiting, in: &nodes)
    nodes[index].list = .displayed
    Self.append(index, to: &displayed, in: &nodes)
  }

  /// Moves a displayed row back to the waiting rows, behind all others.
  mutating func lower(_ row: String) {
    guard let index = indices[row], nodes[index].list == .displayed else { return }
    Self.remove(index, from: &displayed, in: &nodes)
    nodes[index].list = .waiting
    Self.append(index, to: &waiting, in: &nodes)
  }

  private static func append(_ index: Int, to ends: inout Ends, in nodes: inout [Node]) {
    nodes[index].previous = ends.last
    nodes[index].next = -1
    if ends.last >= 0 { nodes[ends.last].next = index } else { ends.first = index }
    ends.last = index
  }

  private static func remove(_ index: Int, from ends: inout Ends, in nodes: inout [Node]) {
    let (previous, next) = (nodes[index].previous, nodes[index].next)
    if previous >= 0 { nodes[previous].next = next } else { ends.first = next }
    if next >= 0 { nodes[next].previous = previous } else { ends.last = previous }
  }
}
