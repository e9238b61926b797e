/// The values that a tracker keeps, by the numbers of their rows.
@frozen
@usableFromInline
struct ValueTable<Value: Sendable> {
  @usableFromInline var values: ContiguousArray<Value?> = []
  @usableFromInline var count = 0

  @inlinable
  init() {}

  @inlinable
  subscript(row: RowID) -> Value? {
    Int(row.index) < values.count ? values[Int(row.index)] : nil
  }

  /// - Returns: The previous value, to release when the table is not being changed.
  @inlinable
  mutating func keep(_ value: Value, _ row: RowID) -> Value? {
    let index = Int(row.index)
    values.extend(to: index, with: nil)
    var old: Value? = value
    swap(&values[index], &old)
    if old == nil { count += 1 }
    return old
  }

  /// - Returns: The value, as ``keep(_:_:)`` does.
  @inlinable
  mutating func drop(_ row: RowID) -> Value? {
    let index = Int(row.index)
    guard index < values.count else { return nil }
    var old: Value?
    swap(&values[index], &old)
    if old != nil { count -= 1 }
    return old
  }

  /// Releases memory when no value is kept.
  @inlinable
  mutating func releaseMemory() {
    if count == 0 { values.releaseMemory() }
  }
}
