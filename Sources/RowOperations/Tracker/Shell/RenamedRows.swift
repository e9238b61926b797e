/// The new names of rows, by the former ones.
@usableFromInline
struct RenamedRows<Row: Hashable> {
  struct Name {
    let row: Row
    let number: Int
    /// Their data may have the former name.
    var lists: Set<ListNumber>
  }

  private var names: [Row: Name] = [:] {
    didSet { isEmpty = names.isEmpty }
  }
  @usableFromInline private(set) var isEmpty = true
  /// The last name that is no longer fresh.
  private var lastEnded = 0

  /// - Parameter list: The one whose data has the row; `nil` for a call of the app.
  @usableFromInline
  func name(of row: Row, inList list: Int? = nil) -> Row? {
    guard let name = names[row],
      name.number > lastEnded || list.map(name.lists.contains) ?? false
    else { return nil }
    return self.name(of: name.row, inList: list) ?? name.row
  }

  // Changes return what to release later.

  mutating func add(_ name: Name, for old: Row) -> [Any] {
    let gone = [names.removeEntry(name.row), names.removeEntry(old)]
    names[old] = name
    return gone.compactMap(\.self)
  }

  mutating func listHasOtherData(_ list: ListNumber) -> [Any] {
    guard !isEmpty else { return [] }
    for row in names.keys { names[row]?.lists.remove(list) }
    return removeEnded()
  }

  mutating func turnEnded(after rename: Int) -> [Any] {
    lastEnded = rename
    return removeEnded()
  }

  private mutating func removeEnded() -> [Any] {
    let ended = names.filter { $0.value.number <= lastEnded && $0.value.lists.isEmpty }
    return ended.keys.compactMap { names.removeEntry($0) }
  }
}

extension Dictionary {
  fileprivate mutating func removeEntry(_ key: Key) -> Element? {
    index(forKey: key).map { remove(at: $0) }
  }
}
