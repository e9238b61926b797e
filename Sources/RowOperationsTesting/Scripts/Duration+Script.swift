extension Duration {
  /// Reads milliseconds; `nil` for overflow and text other than decimal digits.
  init?(scriptText: Substring) {
    let parts = scriptText.split(separator: ".", omittingEmptySubsequences: false)
    let fraction = parts.count > 1 ? parts[1] : "0"
    guard parts.count <= 2, !parts[0].isEmpty, (1...15).contains(fraction.count),
      (parts[0] + fraction).allSatisfy({ $0.isASCII && $0.isNumber })
    else { return nil }
    let padding = String(repeating: "0", count: 15 - fraction.count)
    let digits = "000" + parts[0] + fraction + padding
    guard let seconds = Int64("0" + digits.dropLast(18)),
      let attoseconds = Int64(digits.suffix(18))
    else { return nil }
    self.init(secondsComponent: seconds, attosecondsComponent: attoseconds)
  }
}
