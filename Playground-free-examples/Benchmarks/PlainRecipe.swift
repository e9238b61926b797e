import Foundation

/// What the articles teach: a dictionary from row to operation, one queue, and a cancel when the row
/// leaves the screen.
///
/// Written as well as the recipe allows: nothing is loaded twice at once, a cancelled load does not
/// begin, and a value that comes too late is dropped.
@MainActor
final class PlainRecipe<Row: Hashable & Sendable, Value: Sendable> {
  let queue = OperationQueue()
  private var operations: [Row: RowLoad<Row, Value>] = [:]
  private let load: @Sendable (Row) -> Value
  private let show: @MainActor (Row, Value) -> Void

  /// - Parameters:
  ///   - width: How many loads run at once.
  ///   - load: Makes a row's value, on a thread of the queue.
  ///   - show: Shows it, if the row is on screen still.
  init(
    width: Int, load: @escaping @Sendable (Row) -> Value,
    show: @escaping @MainActor (Row, Value) -> Void
  ) {
    self.load = load
    self.show = show
    queue.maxConcurrentOperationCount = width
    queue.qualityOfService = .userInitiated
  }

  func willDisplay(_ row: Row) {
    guard operations[row] == nil else { return }
    let operation = RowLoad(row, load) { [weak self] operation, value in
      DispatchQueue.main.async { self?.finished(operation, value) }
    }
    operations[row] = operation
    queue.addOperation(operation)
  }

  func didEndDisplaying(_ row: Row) {
    operations.removeValue(forKey: row)?.cancel()
  }

  private func finished(_ operation: RowLoad<Row, Value>, _ value: Value) {
    // The row may have left, and come back under another operation.
    guard operations[operation.row] === operation else { return }
    operations[operation.row] = nil
    show(operation.row, value)
  }
}

/// The recipe's operation.
private final class RowLoad<Row: Sendable, Value: Sendable>: Operation, @unchecked Sendable {
  // Sendable: nothing changes after it was made.
  let row: Row
  private let load: @Sendable (Row) -> Value
  private let finished: @Sendable (RowLoad, Value) -> Void

  init(
    _ row: Row, _ load: @escaping @Sendable (Row) -> Value,
    finished: @escaping @Sendable (RowLoad, Value) -> Void
  ) {
    self.row = row
    self.load = load
    self.finished = finished
  }

  override func main() {
    guard !isCancelled else { return }
    let value = load(row)
    guard !isCancelled else { return }
    finished(self, value)
  }
}
