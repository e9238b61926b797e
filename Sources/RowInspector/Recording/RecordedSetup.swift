import RowOperations

/// The first line of a recording: how the tracker was configured.
///
/// ```text
/// # RowOperations 1 slots=6 policy=adaptive grace=150 quiet=150 timeout=none …
/// ```
package struct RecordedSetup {
  package static let title = "# RowOperations"
  private static let version = 1

  private static let policies: KeyValuePairs<String, ScrollPolicy> = [
    "immediate": .immediate, "settled": .whenSettled, "adaptive": .adaptive,
  ]

  package enum Streams: String {
    /// The first element of a stream is the load of its row.
    case loads
    case updates
  }

  /// Costs are in the app's unit: here each value costs nothing.
  package var configuration = TrackerConfiguration<Int, Int>()
  package var streams: Streams?
  /// 0 without batches.
  package var batchSize = 0

  package init() {}

  @MainActor
  package init<Row, Value>(of tracker: DisplayTracker<Row, Value>) {
    let settings = tracker.core.engine.settings
    configuration.slots = UpdateSlots(tracker.core.slots.count)
    configuration.scrollPolicy = tracker.configuration.scrollPolicy
    configuration.grace = .nanoseconds(settings.grace)
    configuration.quietTime = .nanoseconds(settings.quietTime)
    configuration.timeout = settings.timeout.map { .nanoseconds($0) }
    configuration.prefetchWindow = settings.prefetchWindow
    configuration.retention =
      settings.valueLimit.map(Retention.count) ?? settings.costLimit.map(Self.cost) ?? .all
    configuration.retry = tracker.configuration.retry
    if let live = settings.streams {
      streams = live.isLoad ? .loads : .updates
      configuration.liveInterval = .nanoseconds(live.interval)
      configuration.liveLimit = live.limit
    }
    batchSize = settings.batchSize
  }

  // MARK: Text

  package var text: String {
    let window = configuration.prefetchWindow
    let policy = Self.policies.first { $0.value == configuration.scrollPolicy }?.key ?? ""
    var words = [
      "slots=\(configuration.slots.count)", "policy=\(policy)",
      "grace=\(configuration.grace.text)", "quiet=\(configuration.quietTime.text)",
      "timeout=\(configuration.timeout?.text ?? "none")",
      "window=\(window.ahead),\(window.behind),\(window.limit)",
      "kept=\(keptText)", "retry=\(retryText)",
    ]
    if let streams {
      let interval = configuration.liveInterval.text
      words.append("live=\(streams):\(interval):\(configuration.liveLimit)")
    }
    if batchSize > 0 { words.append("batch=\(batchSize)") }
    return "\(Self.title) \(Self.version) " + words.joined(separator: " ")
  }

  private var keptText: String {
    switch configuration.retention {
    case .none: "count:0"
    case .all: "all"
    case .count(let count): "count:\(count)"
    case .cost(let limit, _): "cost:\(limit)"
    }
  }

  private var retryText: String {
    switch configuration.retry {
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

  // MARK: Reading

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
    case "slots": take(Int(value).map { UpdateSlots($0) }, as: \.configuration.slots)
    case "policy":
      take(Self.policies.first { $0.key == value }?.value, as: \.configuration.scrollPolicy)
    case "grace": take(Duration(text: value), as: \.configuration.grace)
    case "quiet": take(Duration(text: value), as: \.configuration.quietTime)
    case "timeout":
      value == "none" || take(Duration(text: value).map(Optional.some), as: \.configuration.timeout)
    case "window": take(Self.window(value), as: \.configuration.prefetchWindow)
    case "kept": take(Self.retention(value), as: \.configuration.retention)
    case "retry": take(Self.retry(value), as: \.configuration.retry)
    case "live": readStreams(value)
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

  private static func window(_ text: String) -> PrefetchWindow? {
    let parts = text.split(separator: ",")
    guard parts.count == 3, let ahead = Double(parts[0]), let behind = Double(parts[1]),
      let limit = Int(parts[2])
    else { return nil }
    return PrefetchWindow(ahead: ahead, behind: behind, limit: limit)
  }

  private static func retention(_ text: String) -> Retention<Int>? {
    if text == "all" { return .all }
    let parts = text.split(separator: ":")
    guard parts.count == 2, let number = Int(parts[1]) else { return nil }
    return switch parts[0] {
    case "count": .count(number)
    case "cost": cost(number)
    default: nil
    }
  }

  private static func cost(_ limit: Int) -> Retention<Int> { .cost(limit: limit) { _ in 0 } }

  private mutating func readStreams(_ text: String) -> Bool {
    let parts = text.split(separator: ":").map { String($0) }
    guard parts.count == 3, let streams = Streams(rawValue: parts[0]),
      let interval = Duration(text: parts[1]), let limit = Int(parts[2])
    else { return false }
    self.streams = streams
    configuration.liveInterval = interval
    configuration.liveLimit = limit
    return true
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
