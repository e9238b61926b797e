/// The list with plain Swift concurrency: a dictionary of tasks, and a cancel off screen.
///
/// Nothing limits the number of loads, so the load of each row begins.
@MainActor
final class TaskHost: RowHost {
  private var tasks: [String: Task<Void, Never>] = [:]
  private var begun: [Task<Void, Never>] = []

  func show(_ row: String, in cell: Cell) {
    cell.row = row
    cell.text = "…"
  }

  func willDisplay(_ cell: Cell) {
    let row = cell.row
    guard tasks[row] == nil else { return }
    let task = Task { [weak self] in
      // The load ends only by cancellation.
      guard (try? await Task.sleep(for: .seconds(600))) != nil else { return }
      self?.tasks[row] = nil
    }
    tasks[row] = task
    begun.append(task)
  }

  func didEndDisplaying(_ cell: Cell) { tasks.removeValue(forKey: cell.row)?.cancel() }

  /// Waits until all tasks have ended.
  func drain() async {
    for task in begun { await task.value }
    begun = []
  }
}
