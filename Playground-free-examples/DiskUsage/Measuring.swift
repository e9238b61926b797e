import RowOperations

/// How a row is measured.
enum Measuring {
  /// How many entries are looked at between two questions whether anybody still wants to know.
  static let stride = 256

  /// Walks through the row's file or folder.
  @Sendable
  static func measure(_ context: UpdateContext<Path>) async throws -> Tally {
    try await context.stage("walk") {
      try await walk(context.row) {
        try context.checkCancellation()
        // Others have their turn: there are no more threads than cores.
        await Task.yield()
      }
    }
  }

  /// - Parameter pause: Called after each stride; ends the walk by throwing.
  static func walk(_ path: Path, pause: () async throws -> Void) async throws -> Tally {
    var walk = Walk(path)
    while walk.advance(over: stride) { try await pause() }
    return walk.tally
  }
}
