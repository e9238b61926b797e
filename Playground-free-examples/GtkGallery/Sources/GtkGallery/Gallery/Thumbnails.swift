import RowOperations

/// Decodes the pictures of a folder at the size at which they are shown.
struct Thumbnails: Sendable {
  let folder: Folder
  /// The longer side of a thumbnail, in device pixels.
  let side: Int

  /// Loads the picture of a row, on a worker thread.
  ///
  /// Between two pieces of the file, it checks for cancellation and yields the thread to other
  /// rows. So small pictures need not wait for a large one.
  func load(_ context: UpdateContext<FileName, Texture>) async throws -> Texture {
    let picture = try await context.stage(.fetch) {
      try PictureReader(path: folder.path(of: context.row), side: side)
    }
    return try await context.stage(.decode) {
      while try picture.readPiece() {
        try context.checkCancellation()
        await Task.yield()
      }
      return try picture.finish()
    }
  }

  /// Decodes on the main loop, which a gallery must not do.
  @MainActor
  func loadOnMainLoop(_ row: FileName) throws -> Texture {
    try Texture(atOnce: folder.path(of: row), side: side)
  }
}
