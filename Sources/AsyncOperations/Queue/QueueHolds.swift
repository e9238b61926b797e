/// The holds of a queue and the wish of its app, as a value.
///
/// Threads hold, release and suspend at once. One at a time passes the outcome on, never an older
/// one after a newer one.
struct QueueHolds: Hashable, Sendable {
  private var holds = 0
  private(set) var isSuspended = false
  private var passedOn = false
  private var isPassing = false

  mutating func held() { holds += 1 }

  mutating func released() { holds -= 1 }

  mutating func suspended(_ isSuspended: Bool) { self.isSuspended = isSuspended }

  /// - Returns: Whether to suspend the system's queue, for the thread that passes it on; then call
  ///   ``passed()``. `nil` if nothing changed, or another thread is passing.
  mutating func next() -> Bool? { isPassing ? nil : passed() }

  mutating func passed() -> Bool? {
    let outcome = holds > 0 || isSuspended
    isPassing = outcome != passedOn
    passedOn = outcome
    return isPassing ? outcome : nil
  }
}
