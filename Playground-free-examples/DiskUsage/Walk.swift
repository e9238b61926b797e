import RowOperations

/// A walk through a file, or through a folder and everything in it, a few entries at a time.
///
/// It keeps one folder open at any depth and does not recurse. It opens each folder from the one
/// above or below, so that a deep tree costs no more than a flat one. Entries that vanish on the
/// way do not count. Symbolic links count with their own size and are not followed. Folders below
/// mount points count too.
struct Walk {
  /// A folder on the way down.
  private struct Level {
    /// The length of its path.
    let length: Int
    let id: FileID
    /// The names of its folders that the walk has yet to enter.
    var folders: [[UInt8]] = []
  }

  private(set) var tally = Tally()
  private let top: Path
  private var isTopAFolder = false
  /// The path of the folder that was entered last.
  private var path: [UInt8]
  private var levels: [Level] = []
  /// The folder of the deepest level, whose path may lead elsewhere by now.
  private var folder: OpenFolder?
  private var isReading = false
  /// Files with several names: their sizes, and how many of the names are missing so far.
  private var linked: [FileID: (bytes: UInt64, names: Int)] = [:]
  private let willEnter: ((Path) -> Void)?

  /// - Parameter willEnter: Called before a folder is opened.
  init(_ path: Path, willEnter: ((Path) -> Void)? = nil) {
    top = path
    self.willEnter = willEnter
    self.path = path.bytes
    do throws(FileError) {
      let status = try FileStatus(of: path)
      count(status)
      isTopAFolder = status.isFolder
      if isTopAFolder { enter() }
    } catch .gone {
      tally.trouble = .gone
    } catch {
      tally.unreadable = 1
      tally.trouble = .unreadable
    }
  }

  /// Walks over some more entries.
  ///
  /// - Returns: Whether the walk has not reached its end.
  mutating func advance(over entries: Int) -> Bool {
    for _ in 0..<entries where !step() {
      tally.links = linked.mapValues(\.bytes)
      if isTopGone { tally = Tally(trouble: .gone) }
      return false
    }
    return true
  }

  /// Whether the folder vanished meanwhile, so that the tally is that of a part.
  private var isTopGone: Bool {
    guard isTopAFolder else { return false }
    do throws(FileError) {
      return try !FileStatus(of: top).isFolder
    } catch .gone {
      return true
    } catch {
      return false
    }
  }

  private mutating func step() -> Bool {
    guard isReading, let folder else { return descend() }
    do throws(FileError) {
      if let (name, _) = try folder.next() {
        note(name, in: folder)
      } else {
        isReading = false
      }
    } catch {
      isReading = false
      noteUnreadableFolder(isTop: levels.count == 1)
    }
    return true
  }

  private mutating func note(_ name: [UInt8], in folder: OpenFolder) {
    do throws(FileError) {
      let status = try folder.status(of: name)
      count(status)
      if status.isFolder { levels[levels.count - 1].folders.append(name) }
    } catch .gone {
    } catch {
      tally.unreadable += 1
    }
  }

  /// Enters the next folder, from the deepest level that has one left.
  private mutating func descend() -> Bool {
    guard let deepest = levels.lastIndex(where: { !$0.folders.isEmpty }) else { return false }
    let levelsUp = levels.count - 1 - deepest
    levels.removeLast(levelsUp)
    path.removeLast(path.count - levels[deepest].length)
    do throws(FileError) {
      try goUp(by: levelsUp)
    } catch {
      let missed = levels[deepest].folders.count
      levels[deepest].folders = []
      if case .refused = error { tally.unreadable += missed }
      return true
    }
    if let name = levels[deepest].folders.popLast() {
      if path != Path("/".utf8).bytes { path += "/".utf8 }
      path += name
      enter(name)
    }
    return true
  }

  /// Opens the folder of the deepest level, from one that is so many levels below it.
  private mutating func goUp(by count: Int) throws(FileError) {
    guard let level = levels.last, count > 0 else { return }
    do throws(FileError) {
      for _ in 0..<count {
        if let below = folder { folder = try OpenFolder(Array("..".utf8), in: below) }
      }
      if try folder?.status.id == level.id { return }
    } catch {
      // The way up is closed, or leads elsewhere as a folder was moved; the way down may be open.
    }
    folder = try OpenFolder(Path(path))
  }

  /// Opens the top, or a folder inside the open one, as the deepest level.
  private mutating func enter(_ name: [UInt8]? = nil) {
    willEnter?(Path(path))
    do throws(FileError) {
      let opened: OpenFolder
      if let name, let folder {
        opened = try OpenFolder(name, in: folder)
      } else {
        opened = try OpenFolder(top)
      }
      levels.append(Level(length: path.count, id: try opened.status.id))
      folder = opened
      isReading = true
    } catch .gone {
    } catch {
      noteUnreadableFolder(isTop: levels.isEmpty)
    }
  }

  private mutating func noteUnreadableFolder(isTop: Bool) {
    tally.unreadable += 1
    if isTop { tally.trouble = .unreadable }
  }

  private mutating func count(_ status: FileStatus) {
    if !status.isFolder, status.names > 1 {
      let names = linked[status.id]?.names ?? status.names
      // After the last name, the file has no names elsewhere.
      linked[status.id] = names > 1 ? (status.bytes, names - 1) : nil
      guard names == status.names else { return }
    }
    if !status.isFolder { tally.files += 1 }
    tally.bytes = tally.bytes.addingClamped(status.bytes)
  }
}

extension Walk {
  /// How many entries pass between two checks for cancellation.
  static let stride = 256

  /// Measures a row, and shows running totals.
  ///
  /// - Parameters:
  ///   - interval: The time between two running totals.
  ///   - pause: Yields the thread to other tasks, since there are only as many threads as cores.
  static func measure(
    _ context: UpdateContext<Path, Tally>, showingEach interval: Duration = .milliseconds(50),
    pause: @Sendable () async -> Void = { await Task.yield() }
  ) async throws -> Tally {
    try await context.stage("walk") {
      var walk = Walk(context.row)
      var lastShown = ContinuousClock.now
      while walk.advance(over: stride) {
        await pause()
        try context.checkCancellation()
        let now = ContinuousClock.now
        guard now - lastShown >= interval else { continue }
        context.show(walk.tally)
        lastShown = now
      }
      return walk.tally
    }
  }
}
