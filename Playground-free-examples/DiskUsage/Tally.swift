/// The size of a file, or of a folder and everything in it, as `du -sb` counts it.
struct Tally: Equatable, Sendable {
  enum Trouble: Sendable { case unreadable, gone }

  /// The sizes of all files, links and folders.
  var bytes: UInt64 = 0
  /// How many of them are not folders.
  var files = 0
  /// How many files and folders are unreadable.
  var unreadable = 0
  /// The sizes of files with names elsewhere too, as parts of `bytes`.
  var links: [FileID: UInt64] = [:]
  /// Why the whole has no size.
  var trouble: Trouble?
}

/// The sum of a folder's rows, each file counted once.
struct Total: Equatable, Sendable {
  private(set) var bytes: UInt64 = 0
  private(set) var files = 0
  private(set) var unreadable = 0
  /// The number of rows in which a file with several names occurs.
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
  // The apparent sizes of sparse files can exceed the largest number.

  func addingClamped(_ other: UInt64) -> UInt64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }

  func subtractingClamped(_ other: UInt64) -> UInt64 { self < other ? 0 : self - other }
}
