/// Numbers as people read them.
enum Figure {
  /// A size in at most 8 columns.
  static func size(_ bytes: UInt64) -> String {
    guard bytes >= 1000 else { return "\(bytes) B" }
    var units = ["kB", "MB", "GB", "TB", "PB", "EB"][...]
    var unit: UInt64 = 1000
    // The largest `UInt64` is less than 20 EB.
    while tenths(bytes, of: unit) >= 10_000 {
      unit *= 1000
      units.removeFirst()
    }
    let (whole, tenth) = tenths(bytes, of: unit).quotientAndRemainder(dividingBy: 10)
    return "\(whole).\(tenth) \(units.first ?? "")"
  }

  private static func tenths(_ bytes: UInt64, of unit: UInt64) -> UInt64 {
    bytes / (unit / 10) + (bytes % (unit / 10) >= unit / 20 ? 1 : 0)
  }

  /// A number with commas between thousands.
  static func count(_ number: Int) -> String {
    let digits = Array(String(number))
    return digits.indices.reduce(into: "") { text, index in
      if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
      text.append(digits[index])
    }
  }

  /// A bar that takes all the columns for the largest value.
  static func bar(_ part: UInt64, of largest: UInt64, columns: Int) -> String {
    guard part > 0, largest > 0, columns > 0 else { return "" }
    let share = min(Double(part) / Double(largest), 1)
    let eighths = Int((share * Double(columns * 8)).rounded(.up))
    let (full, rest) = eighths.quotientAndRemainder(dividingBy: 8)
    let tip = rest > 0 ? String(Array("▏▎▍▌▋▊▉")[rest - 1]) : ""
    return String(repeating: "█", count: full) + tip
  }
}
