/// The cells that a tracker knows: an identifier and a weak reference each.
///
/// The address of a dead cell is used again at once, so that an identifier alone says nothing: a
/// living object that is found under a dead one's identifier is its heir and inherits nothing.
/// Weak references are formed when a cell is first seen, bound or displayed, and never by a goodbye:
/// a cell may say that from its `deinit`, where forming one would trap.
@MainActor
@usableFromInline
struct CellTable {
  /// An object, so that looking at one copies no weak reference.
  private final class Entry {
    let id: CellID
    let identifier: ObjectIdentifier
    weak var cell: AnyObject?
    var renderer: AnyObject?

    init(_ id: CellID, _ cell: AnyObject) {
      self.id = id
      identifier = ObjectIdentifier(cell)
      self.cell = cell
    }
  }

  /// How a cell is known.
  enum Known {
    case no
    case yes(CellID)
    /// Only its identifier is: the cell that had it is dead, or is dying and says goodbye.
    case dead(CellID)
  }

  private var ids: [ObjectIdentifier: Entry] = [:]
  private var entries: ContiguousArray<Entry?> = []
  /// Which entry was looked at last, and how many are still to be looked at in this round.
  private var lastSwept = 0
  private var unswept = 0

  func find(_ cell: AnyObject) -> Known {
    guard let entry = ids[ObjectIdentifier(cell)] else { return .no }
    return entry.cell === cell ? .yes(entry.id) : .dead(entry.id)
  }

  /// Notes a cell that comes into sight.
  mutating func insert(_ cell: AnyObject, as id: CellID) {
    let entry = Entry(id, cell)
    ids[entry.identifier] = entry
    entries.extend(to: Int(id.index), with: nil)
    entries[Int(id.index)] = entry
  }

  /// Notes what renders a cell that is bound.
  @usableFromInline
  func setRenderer(_ renderer: AnyObject, of id: CellID) {
    entries[Int(id.index)]?.renderer = renderer
  }

  func dropRenderer(of id: CellID) {
    entries[Int(id.index)]?.renderer = nil
  }

  /// Forgets a cell.
  ///
  /// - Returns: What is to be let go of when the table is not being changed any more.
  mutating func remove(_ id: CellID) -> AnyObject? {
    guard let entry = entries[Int(id.index)] else { return nil }
    entries[Int(id.index)] = nil
    if ids[entry.identifier] === entry { ids[entry.identifier] = nil }
    return entry
  }

  /// The cell and what renders it, if it is alive and bound.
  @usableFromInline
  func target(_ id: CellID) -> (cell: AnyObject, renderer: AnyObject)? {
    guard let entry = entries[Int(id.index)], let renderer = entry.renderer,
      let cell = entry.cell
    else { return nil }
    return (cell, renderer)
  }

  /// Whether the last look has left cells out.
  var isSweepUnfinished: Bool { unswept > 0 }

  /// Cells that died without a word, looking at 256 of them at most and going on from there the next
  /// time.
  mutating func dead() -> [CellID] {
    if unswept == 0 { unswept = entries.count }
    var dead: [CellID] = []
    let count = min(unswept, 256)
    for _ in 0..<count {
      lastSwept = lastSwept + 1 < entries.count ? lastSwept + 1 : 0
      if let entry = entries[lastSwept], entry.cell == nil { dead.append(entry.id) }
    }
    unswept -= count
    return dead
  }

  /// All cells but these.
  func ids(except kept: Set<ObjectIdentifier>) -> [CellID] {
    ids.compactMap { kept.contains($0.key) ? nil : $0.value.id }
  }
}

/// What shows a phase in a cell; of one cell, and so of one type.
@MainActor
@usableFromInline
class CellRenderer<Value: Sendable> {
  @inlinable
  init() {}

  @usableFromInline
  func render(_ phase: RowPhase<Value>, in cell: AnyObject) {}
}

/// What the app has said of a cell when it was bound.
@MainActor
@usableFromInline
final class TypedRenderer<Cell: AnyObject, Value: Sendable>: CellRenderer<Value> {
  @usableFromInline let body: @MainActor (Cell, RowPhase<Value>) -> Void

  @inlinable
  init(_ body: @escaping @MainActor (Cell, RowPhase<Value>) -> Void) { self.body = body }

  @inlinable
  override func render(_ phase: RowPhase<Value>, in cell: AnyObject) {
    body(unsafeDowncast(cell, to: Cell.self), phase)
  }
}
