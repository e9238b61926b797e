/// The rows that `--plain` prints, and sentences about those that are missing or too small.
struct PlainRows {
  private(set) var lines: [String] = []
  private(set) var complaints: [String] = []

  /// - Parameters:
  ///   - contents: The rows, all of them measured.
  ///   - count: How many of them it prints.
  init(_ contents: Contents, count: Int) {
    guard !contents.listing.folder.isGone else {
      let folder = contents.listing.folder.quoted
      complaints = ["\(folder) vanished while it was measured. Run it again."]
      return
    }
    var (gone, partial): ([String], [String]) = ([], [])
    for place in 0..<contents.order.count {
      guard let tally = contents.tally(at: place) else { continue }
      let name = VisibleText(contents.path(at: place).name).text
      let isPrinted = place < count
      // A row that vanishes slowly, file by file, may be there until after its measurement.
      if tally.trouble == .gone || isPrinted && contents.path(at: place).isGone {
        gone.append(name)
        continue
      }
      if isPrinted { lines.append("\(tally.bytes)\t\(tally.files)\t\(name)") }
      if tally.unreadable > 0 { partial.append("\(name) (\(tally.unreadable) unreadable)") }
    }
    if !partial.isEmpty {
      complaints.append(
        "Some sizes are too small, as not everything could be read in: \(Self.list(partial)).")
    }
    if !gone.isEmpty {
      complaints.append("Rows that vanished meanwhile are left out: \(Self.list(gone)).")
    }
  }

  private static func list(_ names: [String]) -> String {
    let others = names.count - 5
    return names.prefix(5).joined(separator: ", ") + (others > 0 ? " and \(others) more" : "")
  }
}
