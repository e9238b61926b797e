/// A value of the app, without its type.
@usableFromInline typealias AnyValue = any AnyObject & Sendable

/// Holds a value for code that does not know its type.
///
/// Unspecialised code looks up the type of each generic value that it moves; a reference needs no
/// look-up (figure B13).
@usableFromInline
final class ValueBox<Value: Sendable>: Sendable {
  @usableFromInline let value: Value

  @inlinable
  init(_ value: Value) { self.value = value }

  @inlinable
  static func value(in box: AnyValue?) -> Value? { (box as? ValueBox)?.value }
}

/// What a cell shows of its row, without the type of its value.
@usableFromInline
struct RowContent {
  @usableFromInline let phase: LoadPhase
  @usableFromInline var moment: RenderMoment
  /// That of the newest step, if there is one.
  @usableFromInline let value: AnyValue?
  @usableFromInline let progress: Double?
  @usableFromInline let error: (any Error)?
}

extension RowPhase {
  @inlinable
  init(_ content: RowContent) {
    let value = ValueBox<Value>.value(in: content.value)
    switch content.phase {
    case .idle: self = .idle
    case .waiting: self = .waiting(previous: value, error: content.error)
    case .loading: self = .loading(previous: value, progress: content.progress)
    case .failed: self = .failed(content.error ?? CancellationError(), previous: value)
    case .loaded:
      guard let value else { preconditionFailure("A loaded row has a value.") }
      self = .loaded(value)
    }
  }
}
