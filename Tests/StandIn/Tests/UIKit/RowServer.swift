#if canImport(UIKit)
  import RowOperationsTesting

  @testable import Kit
  @testable import RowOperations
  @testable import TestSupport

  /// How the rows of a trial get their values.
  enum RowSource: CaseIterable, Sendable {
    case loads
    /// The first element of a stream is the load.
    case streams
    case loadsAndStreams
    case batches

    /// Half of the trials load their rows one by one.
    init(seed: UInt64) {
      // Seven has no factor in common with the numbers by which other choices depend on the seed.
      switch seed % 7 {
      case 1: self = .streams
      case 3: self = .loadsAndStreams
      case 5: self = .batches
      default: self = .loads
      }
    }
  }

  /// The rows of a trial, which change while lists show them.
  ///
  /// A value is the number of a row and a version, from 0.
  @MainActor
  final class RowServer {
    struct Broken: Error {}

    private struct State {
      var versions: [Int: Int] = [:]
      /// The newest value that the open stream of a row has had.
      var sent: [Int: Int] = [:]
      /// The rows whose streams have ended without an error, until the next stream.
      var ended: Set<Int> = []
      /// The number of requests for a row, and of those that were cancelled before the tracker took
      /// their answers.
      var requests: [Int: Int] = [:]
      var cancels: [Int: Int] = [:]
    }

    let source: RowSource
    let streams = StreamGate<Int, Int>()
    let batches = BatchGate<Int, Int>()
    private let state = Box(State())
    private let seed: UInt64
    private var dice: Dice
    /// The number of times at which the tracker may have dropped any value.
    private var losses = 0

    init(_ source: RowSource, seed: UInt64) {
      (self.source, self.seed, dice) = (source, seed, Dice(seed: seed &* 3))
    }

    /// The new ids of rows.
    private var names: [Int: Int] = [:]

    /// The row of a value.
    nonisolated static func row(of value: Int) -> Int { Int(Int32(truncatingIfNeeded: value)) }

    func newestRow(of value: Int) -> Int {
      let row = Self.row(of: value)
      return names[row].map { newestRow(of: $0) } ?? row
    }

    /// - Returns: The new id.
    func rename(_ row: Int) -> Int {
      let new = 1_000_000 + names.count
      names[row] = new
      return new
    }

    // MARK: The tracker

    /// The largest number of streams; some screens have more rows.
    var liveLimit: Int { seed / 7 % 3 == 0 ? 6 : 100 }

    func tracker(_ clock: ManualClock, withLanes: Bool = false) -> DisplayTracker<Int, Int> {
      var configuration = TrackerConfiguration<Int, Int>()
      configuration.clock = clock
      if withLanes { configuration.lane = { $0 % 3 } }
      // Half of the lists find their values at once.
      let (seed, findsAll) = (seed, seed % 2 == 0 && source != .batches)
      configuration.cached = { findsAll || $0 % 4 == 0 ? $0 : nil }
      configuration.liveLimit = liveLimit
      configuration.liveInterval = seed % 4 < 2 ? .milliseconds(100) : .zero
      switch source {
      case .loads:
        return DisplayTracker(configuration: configuration) { $0.row }
      case .streams:
        return withoutJitter(
          DisplayTracker(configuration: configuration, updates: { [self] in open($0) }))
      case .loadsAndStreams:
        return withoutJitter(
          DisplayTracker(
            configuration: configuration, update: { [self] in value(of: $0.row) },
            updates: { [self] in open($0) }))
      case .batches:
        configuration.retention = .all
        configuration.onEvent = { [self] event in
          guard case .refused = event.kind else { return }
          state.change { $0.cancels[event.row, default: 0] += 1 }
        }
        return DisplayTracker(
          configuration: configuration, batchesOf: [3, 10, 50][Int(seed / 7 % 3)]
        ) { [self] in try await load($0) }
      }
    }

    /// The naive model has no jitter, and opens all streams of a list that is back at once.
    private func withoutJitter(_ tracker: DisplayTracker<Int, Int>) -> DisplayTracker<Int, Int> {
      tracker.core.state.engine.settings.streams?.jitter = 0
      tracker.core.state.engine.settings.healSpread = 0
      return tracker
    }

    private nonisolated func value(of row: Int) -> Int {
      state.change { row + $0.versions[row, default: 0] << 32 }
    }

    /// Opens a stream that begins with the present value; for odd rows with loads, one that does
    /// not.
    private nonisolated func open(_ context: UpdateContext<Int, Int>)
      -> StreamGate<Int, Int>.Updates
    {
      let row = context.row
      return state.change { state in
        let updates = streams.updates(context)
        state.ended.remove(row)
        state.sent[row] = nil
        if source == .streams || row % 2 == 0 { send(row, state.versions[row, default: 0], &state) }
        return updates
      }
    }

    private nonisolated func load(_ batch: BatchContext<Int>) async throws -> [Int: Int] {
      state.change { state in
        for row in batch.rows { state.requests[row, default: 0] += 1 }
      }
      do {
        let answer = try await batches.load(batch)
        try batch.checkCancellation()
        return answer
      } catch {
        state.change { state in
          for row in batch.rows { state.cancels[row, default: 0] += 1 }
        }
        throw error
      }
    }

    // MARK: Changes

    private nonisolated func send(_ row: Int, _ version: Int, _ state: inout State) {
      let value = row + version << 32
      state.versions[row] = version
      state.sent[row] = value
      streams.send(value, to: row)
    }

    /// Whether the server answers at this moment.
    func isReady() -> Bool { dice.chance(0.2) }

    /// Sends an element, or ends a stream now and then.
    func changeRow() {
      guard let row = streams.log.open.randomElement(using: &dice) else { return }
      let chance = Int.random(in: 0..<40, using: &dice)
      state.change { state in
        switch chance {
        case 0: streams.end(row, with: Broken())
        case 1:
          streams.end(row)
          state.ended.insert(row)
        default: send(row, state.versions[row, default: 0] + 1, &state)
        }
      }
    }

    func answer() { batches.answerAll { $0 } }

    /// Records that the tracker may drop any value.
    func forget() { losses += 1 }

    // MARK: Truth

    /// The rows whose streams have ended by themselves.
    var endedRows: Set<Int> { state.value.ended }

    /// The value that a row with an open stream has to show; `nil` if its stream has sent none.
    var sentValues: [Int: Int] { state.value.sent }

    /// The rows that were requested again though their values were there or on their way.
    var needlessRequests: [Int] {
      let state = state.value
      return state.requests.filter { row, count in
        count > 1 + losses + state.cancels[row, default: 0]
      }.keys.sorted()
    }
  }
#endif
