/// What a file or a folder holds, itself included, counted as `du -sb` does.
struct Tally: Equatable, Sendable {
  enum Trouble: Sendable { case unreadable, gone }

  /// The sizes of all files, links and folders.
  var bytes: UInt64 = 0
  /// How many are not folders.
  var files = 0
  /// How many could not be looked at, or into.
  var unreadable = 0
  /// The sizes of files that have names elsewhere too; they are part of `bytes`.
  var links: [FileID: UInt64] = [:]
  /// What is the matter with it as a whole.
  var trouble: Trouble?
}

/// What the rows of a folder hold together, each file counted once.
struct Total: Equatable, Sendable {
  private(set) var bytes: UInt64 = 0
  private(set) var files = 0
  private(set) var unreadable = 0
  /// In how many rows each file with several names occurs.
  private var links: [FileID: Int] = [:]

  mutating func add(_ tally: Tally) {
    bytes = bytes.addingClamped(tally.bytes)
    files += tally.files
    unreadable += tally.unreadable
    for (id, size) in tally.links {
      links[id, default: 0] += 1
      if links[id] != 1 {
        bytes = bytes.subtractingClamped(size)
        files -= 1
      }
    }
  }

  mutating func remove(_ tally: Tally) {
    bytes = bytes.subtractingClamped(tally.bytes)
    files -= tally.files
    unreadable -= tally.unreadable
    for (id, size) in tally.links {
      links[id, default: 0] -= 1
      if links[id] == 0 {
        links[id] = nil
      } else {
        bytes = bytes.addingClamped(size)
        files += 1
      }
    }
  }
}

extension UInt64 {
  // Sparse files can claim more together than a number can say.

  func addingClamped(_ other: UInt64) -> UInt64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }

  func subtractingClamped(_ other: UInt64) -> UInt64 { self < other ? 0 : self - other }
}
