import RowOperations

/// A cell of a simulated list, which is reused for different rows.
@MainActor
public final class SimulatedCell {
  /// The number of the cell, in the order of making.
  public nonisolated let number: Int

  /// Makes a cell.
  public nonisolated init(number: Int) { self.number = number }
}

extension SimulatedCell: CustomStringConvertible {
  /// The name of the cell in event scripts.
  public nonisolated var description: String { TrackerInput<Int, Int>.name(ofCell: number) }

  static nonisolated func number(named name: String) -> Int? {
    let round = name.count == 1 ? 0 : Int(name.dropFirst()) ?? -1
    guard let letter = name.utf8.first, ("a"..."z").contains(name.prefix(1)),
      // Larger ones would overflow.
      (0..<1_000_000_000).contains(round)
    else { return nil }
    let number = round * 26 + Int(letter - UInt8(ascii: "a"))
    // Each cell has only one name.
    return TrackerInput<Int, Int>.name(ofCell: number) == name ? number : nil
  }
}
