/// The numbers of rows in a recording, in the order in which they are first named.
@MainActor
final class RowNumbers<Row: Hashable> {
  private var numbers: [Row: Int] = [:]
  private var rows: [Row] = []

  func number(_ row: Row) -> Int {
    if let number = numbers[row] { return number }
    numbers[row] = rows.count
    rows.append(row)
    return rows.count - 1
  }

  func row(_ number: Int) -> Row? { rows.indices.contains(number) ? rows[number] : nil }
}
