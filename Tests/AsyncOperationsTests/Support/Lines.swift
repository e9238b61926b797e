@testable import AsyncOperations

extension TurnLines {
  /// Whether no member waits or has a turn.
  var isEmpty: Bool { standings.isEmpty && lines.isEmpty }
}

extension TurnRegistry {
  /// The number of members in line, with and without a turn.
  static func count(in category: ExclusionCategory) -> Int {
    guarded.withLock { $0.lines.lines[category]?.ranks.count ?? 0 }
  }

  /// Whether any member has a turn or waits in that category.
  static func hasLine(in category: ExclusionCategory) -> Bool {
    guarded.withLock { $0.lines.lines[category] != nil || $0.announced[category] != nil }
  }
}
