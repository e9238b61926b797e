import Foundation

/// A value that only one thread at a time can touch.
///
/// Nothing that can call back (an operation's cancel, finish or start, an app's closure, the end of
/// an object) may run inside `withLock`.
final class Protected<Value>: @unchecked Sendable {
  // Sendable: the value is reachable through `withLock` alone.
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func withLock<Output>(_ body: (inout Value) throws -> Output) rethrows -> Output {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }

  /// Puts in a new value and hands out the old one, which so ends its life outside the lock.
  @discardableResult
  func exchange(_ value: Value) -> Value {
    var value = value
    withLock { swap(&$0, &value) }
    return value
  }
}
