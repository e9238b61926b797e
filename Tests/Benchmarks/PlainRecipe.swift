import Foundation

/// The recipe of articles: a dictionary of operations, one queue, and a cancel off screen.
///
/// It is as good as the recipe allows: no row loads twice at once, a cancelled load does not begin,
/// and late values are dropped.
@MainActor
final class PlainRecipe<Row: Hashable & Sendable, Value: Sendable> {
  let queue = OperationQueue()
  private var operations: [Row: RowLoad<Row, Value>] = [:]
  private let load: @Sendable (Row) -> Value
  private let show: @MainActor (Row, Value) -> Void

  /// - Parameters:
  ///   - width: How many loads run at once.
  ///   - load: Makes a row's value, on a thread of the queue.
  ///   - show: Shows the value if the row is still on screen.
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
    // The row may have left the screen and returned with another operation.
    guard operations[operation.row] === operation else { return }
    operations[operation.row] = nil
    show(operation.row, value)
  }
}

/// The operation of the recipe.
private final class RowLoad<Row: Sendable, Value: Sendable>: Operation, @unchecked Sendable {
  // Sendable: nothing changes after the initializer.
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
