import RowOperations
import RowOperationsTesting

/// A list's loads in virtual time: nothing happens between the moments that it names.
@MainActor
protocol VirtualLoader: AnyObject {
  /// Passes on what the list tells; at most one frame's events before `endPass`.
  func handle(_ event: ListEvent<Int>)
  /// The frame is over.
  func endPass()
  /// When something happens by itself the next time, in nanoseconds.
  var nextMoment: Int64? { get }
  /// It is that late now: what was due happens.
  func advance(to time: Int64)
  func hasValue(_ row: Int) -> Bool
  var started: Int { get }
  /// Loads that ended with a value when nobody wanted their row any more.
  var finishedOffScreen: Int { get }
}

/// One fling, from a list at rest with everything loaded, until everything is loaded again.
@MainActor
final class FlingTrial {
  struct Case: Hashable, Sendable {
    /// Points per millisecond.
    var velocity: Double
    /// Milliseconds.
    var load: Int
    /// Whether the list announces rows ahead.
    var prefetches: Bool
  }

  struct Outcome: Sendable {
    var started = 0
    var finishedOffScreen = 0
    /// For how many milliseconds how many rows on screen showed no value.
    var blank = 0.0
    /// Rows on screen without a value when the list came to rest.
    var missingAtRest = 0
    /// Milliseconds from rest to a full screen.
    var timeToFull = 0.0
  }

  private static let frame = Duration.nanoseconds(16_666_667)

  private let loader: any VirtualLoader
  private let list: ListSimulator<Int>
  private var now: Int64 = 0
  private var outcome = Outcome()

  private init(_ trial: Case, _ loader: any VirtualLoader) {
    self.loader = loader
    var behavior = ListBehavior.collectionView
    if !trial.prefetches { behavior.prefetchDepth = 0 }
    list = ListSimulator(rows: Array(0..<10_000), viewport: 616, behavior: behavior) {
      loader.handle($0)
    }
  }

  static func run(_ trial: Case, _ loader: any VirtualLoader) -> Outcome {
    FlingTrial(trial, loader).run(velocity: trial.velocity)
  }

  private func run(velocity: Double) -> Outcome {
    list.layOut()
    loader.endPass()
    // Prefetched rows too.
    while let moment = loader.nextMoment { pass(until: moment) }
    outcome = Outcome()
    let (started, offScreen) = (loader.started, loader.finishedOffScreen)
    list.fling(velocity: velocity)
    loader.endPass()
    while list.isMoving {
      pass(until: now + Self.frame.nanoseconds)
      list.advance(by: Self.frame)
      loader.endPass()
    }
    outcome.missingAtRest = missing
    let rest = now
    while missing > 0, let moment = loader.nextMoment { pass(until: moment) }
    outcome.timeToFull = Double(now - rest) / 1e6
    outcome.started = loader.started - started
    outcome.finishedOffScreen = loader.finishedOffScreen - offScreen
    return outcome
  }

  private var missing: Int { list.visibleRows.count { !loader.hasValue($0) } }

  /// Lets time pass, from one moment at which something happens to the next.
  private func pass(until time: Int64) {
    while let moment = loader.nextMoment, moment <= time {
      spend(until: moment)
      loader.advance(to: moment)
    }
    spend(until: time)
    loader.advance(to: time)
  }

  private func spend(until time: Int64) {
    outcome.blank += Double(missing) * Double(time - now) / 1e6
    now = time
  }
}
