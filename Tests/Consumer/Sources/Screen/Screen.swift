import Foundation
import RowInspector
import RowOperations
import RowOperationsTesting

// Everything here is on the main actor unless it is marked otherwise.

nonisolated struct Photo: Hashable, Identifiable, Sendable {
  let id: Int
}

nonisolated final class CaptionUpdate: UpdateOperation<Photo, String>, @unchecked Sendable {
  override func update(_ context: UpdateContext<Photo, String>) async throws -> String {
    try await context.stage(.fetch) { try await caption(of: context.row) }
  }
}

nonisolated final class Login: AsyncOperation, @unchecked Sendable {
  override func main() {}
  override func didCancel() { finish() }
}

func caption(of photo: Photo) async throws -> String { "Photo \(photo.id)" }

/// A list with two trackers, one with a closure and one with its own operations.
final class Screen {
  let photos = (0..<1_000).map(Photo.init)
  private(set) var captions: [Int: String] = [:]
  let captionTracker = DisplayTracker<Photo, String>(operation: CaptionUpdate.init(token:))
  let sizeTracker: DisplayTracker<Photo.ID, Int>

  init(sizes: TrackerConfiguration<Photo.ID, Int>) {
    sizeTracker = DisplayTracker(configuration: sizes) { $0.row * 10 }
  }

  func handle(_ event: ListEvent<Int>) {
    switch event {
    case .cellFor(let cell, let row):
      captionTracker.bind(cell, to: photos[row]) { [weak self] cell, phase in
        self?.captions[cell.number] = phase.value
      }
      sizeTracker.bind(cell, to: row) { _, _ in }
    case .willDisplay(let cell):
      captionTracker.willDisplay(cell)
      sizeTracker.willDisplay(cell)
    case .didEndDisplaying(let cell, _):
      captionTracker.didEndDisplaying(cell)
      sizeTracker.didEndDisplaying(cell)
    default: break
    }
  }
}

/// Flings a list and returns descriptions of unexpected results.
public func faultsOfScreen() async throws -> [String] {
  let clock = ManualClock()
  let recorder = TrackerRecorder<Int>()
  var configuration = TrackerConfiguration<Int, Int>()
  configuration.clock = clock
  configuration.onEvent = recorder.record
  let screen = Screen(sizes: configuration)
  let inspector = ListInspector(screen.sizeTracker)
  let list = ListSimulator(
    rows: Array(0..<1_000), viewport: 600, behavior: .tableView, handle: screen.handle)
  var faults: [String] = []
  list.layOut()
  list.fling(velocity: 3)
  while list.isMoving {
    clock.advance(by: .milliseconds(16))
    list.advance(by: .milliseconds(16))
    screen.sizeTracker.endPass()
    faults += screen.sizeTracker.violations().map(\.description)
  }
  await screen.sizeTracker.waitUntilIdle()
  await screen.captionTracker.waitUntilIdle()
  for row in list.visibleRows {
    let caption = list.cell(for: row).flatMap { screen.captions[$0.number] }
    if caption != "Photo \(row)" { faults.append("row \(row) shows \(caption ?? "nothing")") }
    if screen.sizeTracker.phase(of: row).value != row * 10 {
      faults.append("row \(row) has no size")
    }
  }
  if inspector.report().rows.count != list.visibleRows.count {
    faults.append("the inspector sees other rows")
  }
  if recorder.finished.isEmpty { faults.append("the recorder has no event") }

  let login = Login()
  let queue = OperationQueue()
  queue.enqueue(login)
  login.cancel()
  let after = TaskOperation { "after" }
  after.addDependency(login)
  if try await queue.value(of: after) != "after" {
    faults.append("the operation after the login did not run")
  }
  return faults
}
