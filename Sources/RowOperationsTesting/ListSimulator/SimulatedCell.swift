/// A cell of a simulated list: an object that is used again and again for different rows.
@MainActor
public final class SimulatedCell {
  /// A number of its own, in the order in which the list made its cells.
  public nonisolated let number: Int

  /// Makes a cell.
  public nonisolated init(number: Int) { self.number = number }
}

extension SimulatedCell: CustomStringConvertible {
  /// `a` to `z`, then `a1` and so on, as event scripts name cells.
  public nonisolated var description: String {
    let letter = String(UnicodeScalar(UInt8(ascii: "a") + UInt8(number % 26)))
    return number < 26 ? letter : letter + String(number / 26)
  }
}
