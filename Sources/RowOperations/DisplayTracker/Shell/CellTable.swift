/// The cells that a tracker knows: an identifier and a weak reference each.
///
/// The address of a dead cell is used again at once, so that an identifier alone says nothing: a
/// living object that is found under a dead one's identifier is its heir and inherits nothing.
/// Weak references are formed when a cell is first seen, bound or displayed, and never by a goodbye:
/// a cell may say that from its `deinit`, where forming one would trap.
@MainActor
struct CellTable<Value: Sendable> {
  typealias Render = @MainActor (AnyObject, RowPhase<Value>) -> Void

  private struct Entry {
    let identifier: ObjectIdentifier
    weak var cell: AnyObject?
    var render: Render?
  }

  /// How a cell is known.
  enum Known {
    case no
    case yes(CellID)
    /// Only its identifier is: the cell that had it is dead, or is dying and says goodbye.
    case dead(CellID)
  }

  private var ids: [ObjectIdentifier: CellID] = [:]
  private var entries: ContiguousArray<Entry?> = []
  private var reaped = 0

  func find(_ cell: AnyObject) -> Known {
    guard let id = ids[ObjectIdentifier(cell)], let entry = entries[Int(id.index)] else {
      return .no
    }
    return entry.cell === cell ? .yes(id) : .dead(id)
  }

  /// Notes a cell that comes into sight.
  mutating func insert(_ cell: AnyObject, as id: CellID) {
    ids[ObjectIdentifier(cell)] = id
    while entries.count <= Int(id.index) { entries.append(nil) }
    entries[Int(id.index)] = Entry(identifier: ObjectIdentifier(cell), cell: cell)
  }

  /// Notes how a cell that is bound is rendered.
  mutating func setRender(_ render: @escaping Render, of id: CellID) {
    entries[Int(id.index)]?.render = render
  }

  mutating func dropRender(of id: CellID) {
    entries[Int(id.index)]?.render = nil
  }

  mutating func remove(_ id: CellID) {
    guard let entry = entries[Int(id.index)] else { return }
    entries[Int(id.index)] = nil
    if ids[entry.identifier] == id { ids[entry.identifier] = nil }
  }

  /// The cell and its render closure, if it is alive and bound.
  func target(_ id: CellID) -> (cell: AnyObject, render: Render)? {
    guard let entry = entries[Int(id.index)], let render = entry.render, let cell = entry.cell
    else { return nil }
    return (cell, render)
  }

  /// Cells that died without a word, looking at 256 of them at most and going on from there the next
  /// time.
  mutating func dead() -> [CellID] {
    var dead: [CellID] = []
    for _ in 0..<min(entries.count, 256) {
      reaped = reaped + 1 < entries.count ? reaped + 1 : 0
      if let entry = entries[reaped], entry.cell == nil {
        dead.append(CellID(index: Int32(reaped)))
      }
    }
    return dead
  }

  /// All cells but these.
  func ids(except kept: Set<ObjectIdentifier>) -> [CellID] {
    ids.compactMap { kept.contains($0.key) ? nil : $0.value }
  }
}
