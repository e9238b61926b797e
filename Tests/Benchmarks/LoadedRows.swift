import Foundation
import RowOperations
import RowOperationsTesting

/// B13: a list with rows that load on screen, each in the frame after it appeared.
@MainActor
final class LoadedHost: RowHost {
  static let slots = 4

  private var started = 0
  private var rendered = 0
  private let tracker: DisplayTracker<String, Int>
  private let loads = EndingLoads()

  init() {
    var configuration = TrackerConfiguration<String, Int>()
    configuration.slots = UpdateSlots(Self.slots)
    configuration.scrollPolicy = .immediate
    tracker = DisplayTracker(configuration: configuration) { [loads] in loads.load(for: $0) }
  }

  func show(_ row: String, in cell: Cell) {
    tracker.bind(cell, to: row) { [unowned self] cell, phase in
      cell.text = phase.value == nil ? "…" : "loaded"
      if phase.value != nil { rendered += 1 }
    }
  }

  func willDisplay(_ cell: Cell) { tracker.willDisplay(cell) }

  func didEndDisplaying(_ cell: Cell) { tracker.didEndDisplaying(cell) }

  /// Commits the loads that have ended, starts the next ones, and waits until these have ended.
  func endFrame() {
    tracker.endPass()
    precondition(rendered == started, "Each frame renders all that the one before started.")
    started += Self.slots
    loads.endAll()
  }
}

/// Loads that end together on a thread of their own, which keeps their end off the main thread.
///
/// That thread also holds each load until the tracker has released it. Otherwise chance decides
/// which thread deallocates it.
private final class EndingLoads: @unchecked Sendable {
  // Sendable: the other thread touches the loads only while the main thread waits for it.
  private var loads: [UpdateOperation<String, Int>] = []
  private var endedLoads: [UpdateOperation<String, Int>] = []
  private let begun = DispatchSemaphore(value: 0)
  private let mayEnd = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  init() {
    let thread = Thread { [self] in
      while true {
        mayEnd.wait()
        for _ in loads { begun.wait() }
        for load in loads { load.finish(with: .success(1)) }
        endedLoads.removeAll(keepingCapacity: true)
        swap(&loads, &endedLoads)
        ended.signal()
      }
    }
    thread.start()
  }

  func load(for token: RowToken<String>) -> UpdateOperation<String, Int> {
    let load = UpdateOperation<String, Int>(token: token) { [begun] _ in
      begun.signal()
      // The end of the operation cancels this.
      try await Task.sleep(for: .seconds(600))
      return 0
    }
    loads.append(load)
    return load
  }

  /// Ends all loads and waits until they have ended.
  func endAll() {
    mayEnd.signal()
    ended.wait()
  }
}
