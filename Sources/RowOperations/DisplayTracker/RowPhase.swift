/// What a row has to show at the moment.
public enum RowPhase<Value: Sendable>: Sendable {
  /// Nothing is known of the row and nothing is being done, or there is nothing to load for it.
  case idle
  /// It is to be loaded and waits for a slot, for the list to slow down, or for another attempt.
  case waiting(previous: Value?)
  /// It is being loaded.
  case loading(previous: Value?)
  /// Its value is there.
  case loaded(Value)
  /// The last attempt to load it failed.
  case failed(any Error, previous: Value?)

  /// The value to show: the loaded one, or the previous one while a newer one is on its way.
  @inlinable public var value: Value? {
    switch self {
    case .idle: nil
    case .waiting(let previous), .loading(let previous), .failed(_, let previous): previous
    case .loaded(let value): value
    }
  }

  /// Why the last attempt failed, if it did.
  @inlinable public var error: (any Error)? {
    guard case .failed(let error, _) = self else { return nil }
    return error
  }

  /// Whether a value is on its way.
  public var isPending: Bool {
    switch self {
    case .waiting, .loading: true
    case .idle, .loaded, .failed: false
    }
  }
}

extension RowPhase: Equatable where Value: Equatable {
  /// Whether both show the same; errors count as the same when their descriptions are.
  public static func == (a: RowPhase, b: RowPhase) -> Bool {
    switch (a, b) {
    case (.idle, .idle): true
    case (.waiting(let a), .waiting(let b)), (.loading(let a), .loading(let b)): a == b
    case (.loaded(let a), .loaded(let b)): a == b
    case (.failed(let errorA, let a), .failed(let errorB, let b)):
      a == b && String(reflecting: errorA) == String(reflecting: errorB)
    case (.idle, _), (.waiting, _), (.loading, _), (.loaded, _), (.failed, _): false
    }
  }
}
