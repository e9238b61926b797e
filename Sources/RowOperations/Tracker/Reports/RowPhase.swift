/// The phase of a row, which its cells show.
public enum RowPhase<Value: Sendable>: Sendable {
  /// The row has nothing to load, or the cell has no row.
  case idle
  /// The row waits for a display, a slot, a slower list, another attempt, or a stream to reopen.
  ///
  /// The error is that of the last attempt, or of the stream.
  case waiting(previous: Value?, error: (any Error)? = nil)
  /// The row loads, or a live row has yet to receive its first element.
  ///
  /// The progress, if known, goes from 0 to 1.
  case loading(previous: Value?, progress: Double? = nil)
  case loaded(Value)
  /// The last attempt to load the row failed, or its stream did.
  case failed(any Error, previous: Value?)

  /// The value to show: the loaded one, or the previous one until a newer one arrives.
  @inlinable public var value: Value? {
    switch self {
    case .idle: nil
    case .waiting(let previous, _), .loading(let previous, _), .failed(_, let previous): previous
    case .loaded(let value): value
    }
  }

  /// The error of the last attempt, until the next one begins.
  @inlinable public var error: (any Error)? {
    switch self {
    case .waiting(_, let error): error
    case .failed(let error, _): error
    case .idle, .loading, .loaded: nil
    }
  }

  /// How much of the row is loaded, from 0 to 1, if known.
  @inlinable public var progress: Double? {
    guard case .loading(_, let progress) = self else { return nil }
    return progress
  }

  /// Whether the row waits or loads.
  public var isPending: Bool {
    switch self {
    case .waiting, .loading: true
    case .idle, .loaded, .failed: false
    }
  }
}

extension RowPhase: Equatable where Value: Equatable {
  /// Whether two phases show the same content.
  ///
  /// Errors are compared by their descriptions.
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
