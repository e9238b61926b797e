import RowOperations

/// A cell of a simulated list, which is reused for different rows.
@MainActor
public final class SimulatedCell {
  /// The number of the cell, in the order in which the list made its cells.
  public nonisolated let number: Int

  /// Makes a cell.
  public nonisolated init(number: Int) { self.number = number }
}

extension SimulatedCell: CustomStringConvertible {
  /// The name of the cell in event scripts.
  public nonisolated var description: String { TrackerInput<Int, Int>.name(ofCell: number) }

  static nonisolated func number(named name: String) -> Int? {
    guard let letter = name.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
    else { return nil }
    let offset = Int(letter - UInt8(ascii: "a"))
    guard name.count > 1 else { return offset }
    guard let round = Int(name.dropFirst()), round > 0 else { return nil }
    return round * 26 + offset
  }
}
