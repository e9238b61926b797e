/// A value that changes at some moments and holds in between.
struct FilmTrack<Value: Equatable & Sendable>: Equatable, Sendable {
  struct Key: Equatable, Sendable {
    /// In ticks of the film.
    let tick: Int
    let value: Value
  }

  /// Their ticks ascend, the first is 0, and neighbours differ.
  private(set) var keys: [Key] = []

  /// Sets the value from a tick on.
  ///
  /// Of several in one tick, the last one counts.
  mutating func append(_ value: Value, at tick: Int) {
    if let last = keys.last, last.tick >= tick, keys.count > 1 || last.value != value {
      keys.removeLast()
      return append(value, at: last.tick)
    }
    guard keys.last?.value != value else { return }
    keys.append(Key(tick: keys.isEmpty ? 0 : tick, value: value))
  }

  func value(at tick: Int) -> Value? {
    (keys.last { $0.tick <= tick } ?? keys.first)?.value
  }
}
