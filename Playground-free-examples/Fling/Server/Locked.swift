import Foundation

/// A value that several threads change.
final class Locked<Value: Sendable>: @unchecked Sendable {
  // Sendable: the value is touched under the lock alone.
  private let lock = NSLock()
  private var guarded: Value

  init(_ value: Value) { guarded = value }

  var value: Value { lock.withLock { guarded } }

  func change<Output>(_ body: (inout Value) -> Output) -> Output {
    lock.withLock { body(&guarded) }
  }
}
