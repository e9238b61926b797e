extension Duration {
  /// In milliseconds, as in `150` or `0.25`.
  var scriptText: String {
    let seconds = String(components.seconds.magnitude)
    let attoseconds = String(components.attoseconds.magnitude)
    let digits = seconds + String(repeating: "0", count: 18 - attoseconds.count) + attoseconds
    let whole = digits.dropLast(15).drop { $0 == "0" }
    let fraction = digits.suffix(15).reversed().drop { $0 == "0" }.reversed()
    return (self < .zero ? "-" : "") + (whole.isEmpty ? "0" : whole)
      + (fraction.isEmpty ? "" : "." + String(fraction))
  }
}
