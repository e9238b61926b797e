import Foundation
import RowOperations

/// Finishes later, on another thread.
final class Echo: AsyncOperation, @unchecked Sendable {
  // Sendable: it is immutable.
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  override func main() {
    DispatchQueue.global().async {
      self.body()
      self.finish()
    }
  }

  override func didCancel() { finish() }
}

final class Square: UpdateOperation<Int, Int>, @unchecked Sendable {
  override func update(_ context: UpdateContext<Int, Int>) async throws -> Int {
    try await context.stage("square") { context.row * context.row }
  }
}

/// Runs operations and returns descriptions of unexpected results.
public func faultsOfOperations() async throws -> [String] {
  let queue = OperationQueue()
  let echo = Echo {}
  let squares = GroupOperation<Int>(
    (1...3).map { Square(token: RowToken(row: $0, generation: 1)) })
  squares.addDependency(echo)
  queue.enqueue(echo)
  let values = try await queue.value(of: squares)
  let retried = RetryOperation(.immediate(limit: 2)) { attempt in
    guard attempt == 2 else { throw URLError(.timedOut) }
    return attempt
  }.timeout(after: .seconds(60))
  let attempt = try await queue.value(of: retried)
  return [
    values == [1, 4, 9] ? nil : "the squares are \(values)",
    echo.state == .finished ? nil : "the echo is \(echo.state)",
    attempt == 2 ? nil : "it took until attempt \(attempt)",
  ].compactMap { $0 }
}
