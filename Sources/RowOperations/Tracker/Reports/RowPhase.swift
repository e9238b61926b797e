/// What a row has to show at the moment.
public enum RowPhase<Value: Sendable>: Sendable {
  /// There is nothing to load for the row, or the cell shows no row.
  case idle
  /// The row is not loaded yet: it waits to be displayed, for a slot, for the list to slow down, or
  /// for another attempt. The error is that of the last attempt.
  case waiting(previous: Value?, error: (any Error)? = nil)
  /// The row is being loaded. The progress goes from 0 to 1, if it is known.
  case loading(previous: Value?, progress: Double? = nil)
  /// The value is there.
  case loaded(Value)
  /// The last attempt to load the row failed.
  case failed(any Error, previous: Value?)

  /// The value to show: the loaded one, or the previous one while a newer one is on its way.
  @inlinable public var value: Value? {
    switch self {
    case .idle: nil
    case .waiting(let previous, _), .loading(let previous, _), .failed(_, let previous): previous
    case .loaded(let value): value
    }
  }

  /// Why the last attempt failed, until the next one begins.
  @inlinable public var error: (any Error)? {
    switch self {
    case .waiting(_, let error): error
    case .failed(let error, _): error
    case .idle, .loading, .loaded: nil
    }
  }

  /// How much of the row is loaded, from 0 to 1, if that is known.
  @inlinable public var progress: Double? {
    guard case .loading(_, let progress) = self else { return nil }
    return progress
  }

  /// Whether a value is to come.
  public var isPending: Bool {
    switch self {
    case .waiting, .loading: true
    case .idle, .loaded, .failed: false
    }
  }
}

extension RowPhase: Equatable where Value: Equatable {
  /// Whether both show the same.
  ///
  /// Errors count as the same when their descriptions are.
  public static func == (a: RowPhase, b: RowPhase) -> Bool {
    switch (a, b) {
    case (.idle, .idle):
      true
    case (.waiting(let a, let errorA), .waiting(let b, let errorB)):
      a == b && describe(errorA) == describe(errorB)
    case (.loading(let a, let progressA), .loading(let b, let progressB)):
      a == b && progressA == progressB
    case (.loaded(let a), .loaded(let b)):
      a == b
    case (.failed(let errorA, let a), .failed(let errorB, let b)):
      a == b && describe(errorA) == describe(errorB)
    case (.idle, _), (.waiting, _), (.loading, _), (.loaded, _), (.failed, _):
      false
    }
  }

  private static func describe(_ error: (any Error)?) -> String? {
    error.map { String(reflecting: $0) }
  }
}
