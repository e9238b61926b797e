extension Int {
  /// A place in a line, in words: `first` for 1.
  package var ordinal: String {
    let words = ["first", "second", "third"]
    return words.indices.contains(self - 1) ? words[self - 1] : "number \(self)"
  }
}
