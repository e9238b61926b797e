import RowOperations

/// A walk through a file, or through a folder and all that is in it, a few entries at a time.
///
/// However deep it goes, it has one folder open and does not call itself. What vanishes on the way is
/// not counted. Symbolic links count with their own size and are not followed. Folders below mount
/// points are walked.
struct Walk {
  /// A folder on the way down.
  private struct Level {
    /// How much of the path leads to it.
    let length: Int
    /// The names of the folders in it that are still to be walked.
    var folders: [[UInt8]] = []
  }

  private(set) var tally = Tally()
  private var path: [UInt8]
  private var levels: [Level] = []
  private var folder: OpenFolder?
  /// Files with several names: their sizes, and how many names have not turned up yet.
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

  /// Walks on, over so many entries at most.
  ///
  /// - Returns: Whether there is more to do.
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

  /// Goes into the next folder, from the deepest level that has any left.
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
      // The last of its names: it has none elsewhere.
      linked[status.id] = names > 1 ? (status.bytes, names - 1) : nil
      guard names == status.names else { return }
    }
    if !status.isFolder { tally.files += 1 }
    tally.bytes = tally.bytes.addingClamped(status.bytes)
  }
}

extension Walk {
  /// How many entries are looked at between two questions whether anybody still wants to know.
  static let stride = 256

  /// Measures a row, and shows what it has counted so far.
  ///
  /// - Parameters:
  ///   - interval: How often the running total is shown.
  ///   - pause: Lets others have their turn, since there are no more threads than cores.
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
