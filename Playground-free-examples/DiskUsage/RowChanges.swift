import RowOperations

/// The sizes of a row: one at first, then another one after each change below it.
///
/// It watches the folders of the row. A row with too many of them, or with one that cannot be
/// watched, is measured again now and then.
struct RowChanges: AsyncSequence, Sendable {
  struct Rules: Sendable {
    var events = FolderEvents.shared
    /// The largest number of folders of a row that are watched.
    var folders = 512
    /// Lets time pass.
    var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  }

  /// More walks at once would only make the disk seek.
  private static let walks = ExclusionCategory("walks after changes", limit: 2)

  let path: Path
  let rules: Rules

  init(of path: Path, _ rules: Rules) { (self.path, self.rules) = (path, rules) }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(path: path, rules: rules) }

  struct AsyncIterator: AsyncIteratorProtocol {
    private let path: Path
    private let rules: Rules
    private let watch: FolderWatch
    private var changes: AsyncStream<Void>.Iterator
    private var last: Tally?
    /// Whether all folders of the row are watched.
    private var isWatched = false
    /// The time that the last walk took.
    private var walkTime = Duration.zero

    fileprivate init(path: Path, rules: Rules) {
      (self.path, self.rules) = (path, rules)
      watch = FolderWatch(rules.events, limit: rules.folders)
      changes = watch.changes.makeAsyncIterator()
    }

    mutating func next() async throws -> Tally? {
      while true {
        if last != nil { try await waitForChange() }
        let tally = try await RowChanges.walks.withPermit { try await measure() }
        guard tally != last else { continue }
        last = tally
        return tally
      }
    }

    /// Walks take at most a tenth of the time, and those of a row that is not watched a twentieth.
    private mutating func waitForChange() async throws {
      if isWatched {
        _ = await changes.next()
        try await rules.pause(Swift.max(.milliseconds(200), walkTime * 9))
      } else {
        try await rules.pause(Swift.max(.seconds(2), walkTime * 19))
      }
      try Task.checkCancellation()
    }

    private mutating func measure() async throws -> Tally {
      let start = ContinuousClock.now
      let watch = watch
      // A change during the walk is an event of a folder that is watched before it is read.
      var isWatched = watch.add(path)
      var walk = Walk(path) { isWatched = watch.add($0) && isWatched }
      while walk.advance(over: Walk.stride) {
        await Task.yield()
        try Task.checkCancellation()
      }
      // A part of the folders would be of no use, and take places from other rows.
      if !isWatched { watch.removeAll() }
      self.isWatched = isWatched
      walkTime = ContinuousClock.now - start
      return walk.tally
    }
  }
}
