import RowOperations

/// A walk through a file, or through a folder and everything in it, a few entries at a time.
///
/// It keeps one folder open at any depth and does not recurse. Entries that vanish on the way do
/// not count. Symbolic links count with their own size and are not followed. Folders below mount
/// points count too.
struct Walk {
  /// A folder on the way down.
  private struct Level {
    /// The length of its path.
    let length: Int
    /// The names of its folders that the walk has yet to enter.
    var folders: [[UInt8]] = []
  }

  private(set) var tally = Tally()
  private var path: [UInt8]
  private var levels: [Level] = []
  private var folder: OpenFolder?
  /// Files with several names: their sizes, and how many of the names are missing so far.
  private var linked: [FileID: (bytes: UInt64, names: Int)] = [:]

  init(_ path: Path) {
    self.path = path.bytes
    do throws(FileError) {
      let status = try FileStatus(of: path)
      count(status)
      if status.isFolder { open() }
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
      return false
    }
    return true
  }

  private mutating func step() -> Bool {
    guard let folder else { return descend() }
    do throws(FileError) {
      if let (name, _) = try folder.next() {
        note(name, in: folder)
      } else {
        self.folder = nil
      }
    } catch {
      self.folder = nil
      noteUnreadableFolder()
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
    while let level = levels.last {
      path.removeLast(path.count - level.length)
      if let name = levels[levels.count - 1].folders.popLast() {
        path = Path(path).appending(name).bytes
        open()
        return true
      }
      levels.removeLast()
    }
    return false
  }

  private mutating func open() {
    levels.append(Level(length: path.count))
    do throws(FileError) {
      folder = try OpenFolder(Path(path))
    } catch .gone {
    } catch {
      noteUnreadableFolder()
    }
  }

  private mutating func noteUnreadableFolder() {
    tally.unreadable += 1
    if levels.count == 1 { tally.trouble = .unreadable }
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
