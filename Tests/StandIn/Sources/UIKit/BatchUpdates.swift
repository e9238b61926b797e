/// The changes of a batch update: insertions and targets of moves by new paths, others by old ones.
struct BatchUpdates {
  var deleted: Set<IndexPath> = []
  var inserted: Set<IndexPath> = []
  var reloaded: Set<IndexPath> = []
  var moved: [(from: IndexPath, to: IndexPath)] = []

  /// Returns the new path of each old one; `nil` for rows that are gone or get another cell.
  func paths(from old: [Int]) -> (IndexPath) -> IndexPath? {
    var new: [IndexPath: IndexPath] = [:]
    let origins = Set(moved.map(\.from))
    let taken = inserted.union(moved.map(\.to))
    for (section, count) in old.enumerated() {
      var item = 0
      for oldItem in 0..<count {
        let path: IndexPath = [section, oldItem]
        guard !deleted.contains(path), !origins.contains(path) else { continue }
        while taken.contains([section, item]) { item += 1 }
        if !reloaded.contains(path) { new[path] = [section, item] }
        item += 1
      }
    }
    for move in moved { new[move.from] = move.to }
    return { new[$0] }
  }
}

extension _TiledView {
  /// Runs the changes of a batch update, and applies them after the outermost.
  package func update(_ changes: () -> Void) {
    guard updates == nil else { return changes() }
    updates = BatchUpdates()
    changes()
    // A layout inside finds the old cells beside the new model.
    for _ in 0..<MainLoop.variant.layoutsInBatch where window != nil {
      setNeedsLayout()
      layoutIfNeeded()
    }
    if let updates { apply(updates) }
    updates = nil
    if MainLoop.variant.batchLaysOut, window != nil { layoutIfNeeded() }
  }

  package func delete(_ paths: [IndexPath]) { update { updates?.deleted.formUnion(paths) } }
  package func insert(_ paths: [IndexPath]) { update { updates?.inserted.formUnion(paths) } }
  package func reload(_ paths: [IndexPath]) { update { updates?.reloaded.formUnion(paths) } }
  package func move(_ from: IndexPath, to: IndexPath) {
    update { updates?.moved.append((from, to)) }
  }
}
