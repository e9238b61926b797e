/// The cells of a tracker: an identity, a weak reference and a render closure each.
///
/// The address of a deallocated cell may go to another object, which inherits nothing from it. Weak
/// references form when a cell is seen, bound or displayed, and never when it leaves: forming one
/// in a `deinit` would trap.
@MainActor
struct CellTable {
  /// A closure in a struct, since arrays and optionals wrap a bare closure again at each copy.
  struct Renderer {
    let render: @MainActor (AnyObject, RowContent) -> Void
  }

  /// An object, so that a read copies no weak reference.
  final class Entry {
    private(set) weak var cell: AnyObject?
    fileprivate(set) var renderer: Renderer?

    init(_ cell: AnyObject) { self.cell = cell }
  }

  private var index = HashIndex()
  private var entries: ContiguousArray<Entry?> = []
  /// The identity of each entry; `nil` for none.
  private var identities: ContiguousArray<ObjectIdentifier?> = []
  private var count = 0
  private var lastSwept = 0
  /// Entries left to check since a dead cell was found.
  private var unswept = 0

  /// The number of a cell, or of a deallocated one with its address.
  @inline(__always)
  func id(at cell: AnyObject) -> CellID? { id(at: ObjectIdentifier(cell)) }

  // Inlined, since a call would copy the table (figure B12).
  @inline(__always)
  func id(at identity: ObjectIdentifier) -> CellID? {
    let hash = Self.hash(identity)
    var candidate = index.first(hash)
    while candidate >= 0 {
      if identities[Int(candidate)] == identity { return CellID(index: candidate) }
      candidate = index.next(after: candidate, hash)
    }
    return nil
  }

  func isAlive(_ id: CellID) -> Bool { entries[Int(id.index)]?.cell != nil }

  private static func hash(_ identity: ObjectIdentifier) -> UInt32 {
    // Fibonacci hashing (Knuth, The Art of Computer Programming, volume 3, 6.4).
    let bits = UInt64(UInt(bitPattern: identity)) &* 0x9e37_79b9_7f4a_7c15
    return UInt32(truncatingIfNeeded: bits >> 32)
  }

  mutating func insert(_ cell: AnyObject, as id: CellID) {
    let identity = ObjectIdentifier(cell)
    entries.extend(to: Int(id.index), with: nil)
    identities.extend(to: Int(id.index), with: nil)
    entries[Int(id.index)] = Entry(cell)
    identities[Int(id.index)] = identity
    index.insert(id.index, Self.hash(identity))
    count += 1
  }

  subscript(id: CellID) -> Entry? {
    Int(id.index) < entries.count ? entries[Int(id.index)] : nil
  }

  /// - Returns: The former closure, to release when the table is not being changed.
  @inline(__always)
  func setRenderer(_ renderer: Renderer?, of id: CellID) -> Renderer? {
    guard let entry = self[id] else { return nil }
    let old = entry.renderer
    entry.renderer = renderer
    return old
  }

  /// The cell is deallocated.
  mutating func unlist(_ id: CellID) {
    guard identities[Int(id.index)] != nil else { return }
    identities[Int(id.index)] = nil
    index.remove(id.index)
  }

  /// - Returns: The entry, to release when the table is not being changed.
  mutating func remove(_ id: CellID) -> Entry? {
    guard let entry = self[id] else { return nil }
    unlist(id)
    entries[Int(id.index)] = nil
    count -= 1
    if count == 0 {
      entries.releaseMemory()
      identities.releaseMemory()
    }
    return entry
  }

  /// How many cells to check in a turn for an unreported deallocation.
  ///
  /// Cells die in groups, so after ``checkAll()`` there are many, until all have been checked once.
  var checksInTurn: Int { min(unswept > 0 ? 256 : 2, count) }

  /// The next cell to check; `nil` for a number without a cell.
  ///
  /// Check it outside of changes: a check holds the cell, which another thread may release then.
  mutating func nextToCheck() -> (id: CellID, entry: Entry)? {
    guard count > 0 else { return nil }
    lastSwept = lastSwept + 1 < entries.count ? lastSwept + 1 : 0
    unswept = max(unswept - 1, 0)
    guard identities[lastSwept] != nil, let entry = entries[lastSwept] else { return nil }
    return (CellID(index: Int32(lastSwept)), entry)
  }

  /// Checks all cells in the next turns, as after a find.
  mutating func checkAll() { unswept = entries.count }

  var isSweepUnfinished: Bool { count > 0 && unswept > 0 }
}
