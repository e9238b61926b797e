import AsyncOperations

/// A value that several threads use in a test.
final class Box<Value: Sendable>: Sendable {
  private let state: Lock<Value>

  init(_ value: Value) { state = Lock(value) }

  var value: Value { state.withLock { $0 } }

  func set(_ value: Value) { state.exchange(value) }

  /// - Returns: The value before it.
  func exchanged(_ value: Value) -> Value { state.exchange(value) }

  @discardableResult
  func change<Output>(_ body: (inout Value) -> Output) -> Output { state.withLock(body) }
}

extension Box where Value == Int {
  convenience init() { self.init(0) }

  /// - Returns: The value after it.
  @discardableResult
  func add(_ amount: Int = 1) -> Int {
    change { value in
      value += amount
      return value
    }
  }
}

/// A record of events in order.
typealias Log<Entry: Sendable> = Box<[Entry]>

extension Box {
  func append<Entry>(_ entry: Entry) where Value == [Entry] {
    change { $0.append(entry) }
  }
}
