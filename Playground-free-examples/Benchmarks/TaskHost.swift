/// The list with plain Swift concurrency: a dictionary from row to task, and a cancel when the row
/// leaves the screen.
///
/// Nothing limits how many loads run at once, so each row's begins.
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
      // A load that heeds cancellation, and does not come to its end before.
      guard (try? await Task.sleep(for: .seconds(600))) != nil else { return }
      self?.tasks[row] = nil
    }
    tasks[row] = task
    begun.append(task)
  }

  func didEndDisplaying(_ cell: Cell) { tasks.removeValue(forKey: cell.row)?.cancel() }

  /// Waits until all tasks have come to their end.
  func drain() async {
    for task in begun { await task.value }
    begun = []
  }
}
