import RowOperations

/// The first line of a recording: how the tracker was configured.
///
/// ```text
/// # RowOperations 1 slots=6 policy=adaptive grace=150 quiet=150 timeout=none …
/// ```
package struct RecordedSetup: Hashable, Sendable {
  package static let title = "# RowOperations"
  private static let version = 1

  package enum Kept: Hashable, Sendable {
    case all
    case count(Int)
    /// In the app's unit, which a recording does not have.
    case cost(Int)
  }

  package struct Live: Hashable, Sendable {
    /// Whether the first element of a stream is the load of its row.
    package var isLoad: Bool
    package var interval: Duration
    package var limit: Int
  }

  package var slots = 6
  package var policy = ScrollPolicy.adaptive
  package var grace: Duration = .milliseconds(150)
  package var quietTime: Duration = .milliseconds(150)
  package var timeout: Duration?
  package var prefetchWindow = PrefetchWindow()
  package var kept = Kept.count(200)
  package var retry = RetryPolicy.onNextDisplay
  /// `nil` without streams.
  package var live: Live?
  /// 0 without batches.
  package var batchSize = 0

  package init() {}

  @MainActor
  package init<Row, Value>(of tracker: DisplayTracker<Row, Value>) {
    let settings = tracker.core.engine.settings
    slots = tracker.core.slots.count
    policy = tracker.configuration.scrollPolicy
    grace = .nanoseconds(settings.grace)
    quietTime = .nanoseconds(settings.quietTime)
    timeout = settings.timeout.map { .nanoseconds($0) }
    prefetchWindow = settings.prefetchWindow
    kept = settings.valueLimit.map(Kept.count) ?? settings.costLimit.map(Kept.cost) ?? .all
    retry = tracker.configuration.retry
    live = settings.streams.map {
      Live(isLoad: $0.isLoad, interval: .nanoseconds($0.interval), limit: $0.limit)
    }
    batchSize = settings.batchSize
  }

  // MARK: Text

  package var text: String {
    var words = [
      "slots=\(slots)", "policy=\(Self.name(of: policy))", "grace=\(grace.text)",
      "quiet=\(quietTime.text)", "timeout=\(timeout?.text ?? "none")",
      "window=\(Self.text(of: prefetchWindow))", "kept=\(keptText)", "retry=\(retryText)",
    ]
    if let liveText { words.append("live=\(liveText)") }
    if batchSize > 0 { words.append("batch=\(batchSize)") }
    return "\(Self.title) \(Self.version) " + words.joined(separator: " ")
  }

  /// `nil` for a line of another kind or a later version.
  package init?(_ line: some StringProtocol) {
    let words = line.split(separator: " ")
    guard words.prefix(3).joined(separator: " ") == "\(Self.title) \(Self.version)" else {
      return nil
    }
    for word in words.dropFirst(3) {
      let parts = String(word).split(separator: "=", maxSplits: 1).map { String($0) }
      guard parts.count == 2, read(parts[0], parts[1]) else { return nil }
    }
  }

  /// - Returns: Whether the value is readable; names of later versions are left out.
  private mutating func read(_ name: String, _ value: String) -> Bool {
    switch name {
    case "slots": take(Int(value), as: \.slots)
    case "policy": take(Self.policy(named: value), as: \.policy)
    case "grace": take(Duration(text: value), as: \.grace)
    case "quiet": take(Duration(text: value), as: \.quietTime)
    case "timeout": value == "none" || take(Duration(text: value), as: \.timeout)
    case "window": take(Self.window(value), as: \.prefetchWindow)
    case "kept": take(Self.kept(value), as: \.kept)
    case "retry": take(Self.retry(value), as: \.retry)
    case "live": take(Self.live(value), as: \.live)
    case "batch": take(Int(value), as: \.batchSize)
    default: true
    }
  }

  private mutating func take<Value>(
    _ value: Value?, as path: WritableKeyPath<Self, Value>
  ) -> Bool {
    guard let value else { return false }
    self[keyPath: path] = value
    return true
  }

  private mutating func take(
    _ value: Duration?, as path: WritableKeyPath<Self, Duration?>
  ) -> Bool {
    guard let value else { return false }
    self[keyPath: path] = value
    return true
  }

  private static func name(of policy: ScrollPolicy) -> String {
    switch policy {
    case .immediate: "immediate"
    case .whenSettled: "settled"
    case .adaptive: "adaptive"
    }
  }

  private static func policy(named name: String) -> ScrollPolicy? {
    [.immediate, .whenSettled, .adaptive].first { Self.name(of: $0) == name }
  }

  private static func text(of window: PrefetchWindow) -> String {
    "\(window.ahead),\(window.behind),\(window.limit)"
  }

  private static func window(_ text: String) -> PrefetchWindow? {
    let parts = text.split(separator: ",")
    guard parts.count == 3, let ahead = Double(parts[0]), let behind = Double(parts[1]),
      let limit = Int(parts[2])
    else { return nil }
    return PrefetchWindow(ahead: ahead, behind: behind, limit: limit)
  }

  private var keptText: String {
    switch kept {
    case .all: "all"
    case .count(let count): "count:\(count)"
    case .cost(let cost): "cost:\(cost)"
    }
  }

  private static func kept(_ text: String) -> Kept? {
    if text == "all" { return .all }
    let parts = text.split(separator: ":")
    guard parts.count == 2, let number = Int(parts[1]) else { return nil }
    return switch parts[0] {
    case "count": .count(number)
    case "cost": .cost(number)
    default: nil
    }
  }

  private var liveText: String? {
    live.map { "\($0.isLoad ? "loads" : "updates"):\($0.interval.text):\($0.limit)" }
  }

  private static func live(_ text: String) -> Live?? {
    let parts = text.split(separator: ":")
    guard parts.count == 3, ["loads", "updates"].contains(parts[0]),
      let interval = Duration(text: String(parts[1])), let limit = Int(parts[2])
    else { return nil }
    return Live(isLoad: parts[0] == "loads", interval: interval, limit: limit)
  }

  private var retryText: String {
    switch retry {
    case .never: return "never"
    case .onNextDisplay: return "display"
    case .backoff(let strategy):
      // Jitter is random; the middle stands for it.
      let delays = (0..<min(strategy.limit, 16)).compactMap {
        strategy.delay(beforeRetry: $0, chance: 0.5)
      }
      return "after:" + delays.map(\.text).joined(separator: ",")
    }
  }

  private static func retry(_ text: String) -> RetryPolicy? {
    switch text {
    case "never": return .never
    case "display": return .onNextDisplay
    default:
      guard text.hasPrefix("after:") else { return nil }
      let parts = text.dropFirst(6).split(separator: ",")
      let delays = parts.compactMap { Duration(text: String($0)) }
      return delays.count == parts.count ? .backoff(.delays(delays)) : nil
    }
  }
}

extension Duration {
  fileprivate var text: String { "\(nanoseconds / 1_000_000)" }

  fileprivate init?(text: String) {
    guard let milliseconds = Int64(text), milliseconds >= 0 else { return nil }
    self = .milliseconds(milliseconds)
  }
}
