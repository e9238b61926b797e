import RowOperations

/// Decodes the pictures of a folder at the size at which they are shown.
struct Thumbnails: Sendable {
  let folder: Folder
  /// The longer side of a thumbnail, in device pixels.
  let side: Int
  let previews: DesktopThumbnails

  /// Loads the picture of a row, on a worker thread.
  ///
  /// Between two pieces of the file, it checks for cancellation and yields the thread to other
  /// rows. So small pictures need not wait for a large one.
  func load(_ context: UpdateContext<FileName, Texture>) async throws -> Texture {
    let path = folder.path(of: context.row)
    let picture = try await context.stage(.fetch) {
      let picture = try PictureReader(path: path, side: side)
      while picture.size == nil, try picture.readPiece() { try context.checkCancellation() }
      return picture
    }
    if picture.size?.isLarge ?? true {
      let preview = try await context.stage("preview") { previews.texture(of: path, side: side) }
      if let preview { context.show(preview) }
    }
    return try await context.stage(.decode) {
      while try picture.readPiece() {
        try context.checkCancellation()
        await Task.yield()
      }
      return try picture.finish()
    }
  }
}
