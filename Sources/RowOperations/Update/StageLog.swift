struct StageLog: Sendable {
  /// In nanoseconds of the log's clock.
  struct Visit: Hashable, Sendable {
    let stage: UpdateStage
    let start: Int64
    let end: Int64
  }

  private(set) var current: UpdateStage?
  private(set) var cancelledAt: UpdateStage?
  /// In the order of their ends; empty without a clock.
  private(set) var visits: [Visit] = []
  /// Set before the operation starts, if its owner needs times.
  var clock: (@Sendable () -> Int64)?
  private var starts: [Int64] = []

  /// - Returns: The outer stage, to return to.
  mutating func enter(_ stage: UpdateStage) -> UpdateStage? {
    defer { current = stage }
    if let clock { starts.append(clock()) }
    return current
  }

  mutating func leave(to outer: UpdateStage?) {
    if let clock, let stage = current, let start = starts.popLast() {
      visits.append(Visit(stage: stage, start: start, end: clock()))
    }
    current = outer
  }

  /// The first stage that detects the cancellation counts.
  mutating func recordCancellation(at stage: UpdateStage?) {
    if cancelledAt == nil { cancelledAt = stage }
  }
}
