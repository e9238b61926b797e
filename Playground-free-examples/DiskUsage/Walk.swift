import RowOperations

/// The value of a row: the size of a file, or of a folder and everything in it.
struct Tally: Equatable, Sendable {
  var bytes = 0
  var files = 0
  /// Files and folders that could not be read.
  var unreadable = 0
}

extension Tally {
  private mutating func add(_ path: String) throws(SystemError) -> Bool {
    let status = try FileStatus(path)
    bytes += status.bytes
    if !status.isFolder { files += 1 }
    return status.isFolder
  }

  /// Measures a row, a folder at a time.
  ///
  /// - Parameter onProgress: Receives the size so far, now and then.
  /// - Throws: A ``SystemError`` if there is nothing at the path, and if the task is cancelled.
  init(of path: String, onProgress: (Tally) -> Void = { _ in }) async throws {
    var folders = try add(path) ? [path] : []
    var lastShown = ContinuousClock.now
    while let folder = folders.popLast() {
      // Yields the thread to other rows, since there are only as many threads as cores.
      await Task.yield()
      try Task.checkCancellation()
      if ContinuousClock.now - lastShown > .milliseconds(50) {
        onProgress(self)
        lastShown = .now
      }
      do throws(SystemError) {
        for name in try Folder.names(in: folder) {
          let path = Folder.path(of: name, in: folder)
          do throws(SystemError) {
            if try add(path) { folders.append(path) }
          } catch {
            unreadable += 1
          }
        }
      } catch {
        unreadable += 1
      }
    }
  }

  /// The body of a row's operation, which shows the size so far.
  static func measure(_ context: UpdateContext<String, Tally>) async throws -> Tally {
    try await Tally(of: context.row) { context.show($0) }
  }

  /// The sizes of a row that stays on screen, one after the other: the stream of a live row.
  static func changes(
    of path: String, every pause: Duration = .seconds(2)
  ) -> AsyncThrowingStream<Tally, any Error> {
    AsyncThrowingStream { continuation in
      let walks = Task {
        do {
          while true {
            let start = ContinuousClock.now
            continuation.yield(try await Tally(of: path))
            // Walks take at most a twentieth of the time.
            try await Task.sleep(for: max(pause, (ContinuousClock.now - start) * 19))
          }
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in walks.cancel() }
    }
  }
}
