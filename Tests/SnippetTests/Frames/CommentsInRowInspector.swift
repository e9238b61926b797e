import Foundation
import RowInspector
import RowOperations

private struct Photo: Identifiable {
  let id: Int
}

@MainActor
private func timeline(
  _ configuration: inout TrackerConfiguration<Photo.ID, String>, _ positions: [Photo.ID: Int],
  _ url: URL
) throws {
  //@ let timeline = Timeline<Photo.ID> { positions[$0] ?? 0 }
}

@MainActor
private final class Examination {
  var doctor = ListDoctor<Photo.ID>()

  func begin(_ configuration: inout TrackerConfiguration<Photo.ID, String>) {
    //@ configuration.onEvent = { [unowned self] in doctor.record($0) }
  }
}

@MainActor
private final class Screen {
  var recording: ListRecording?

  func record(_ tracker: DisplayTracker<Photo.ID, String>) throws {
    //@ let url = FileManager.default.temporaryDirectory.appendingPathComponent("list.recording")
  }

  func inspect(_ tracker: DisplayTracker<Photo.ID, String>) {
    //@ let inspector = ListInspector(tracker)
  }
}

#if canImport(SwiftUI)
  import SwiftUI

  @MainActor
  private func inspected(
    _ photos: [Photo], _ tracker: DisplayTracker<Photo.ID, String>
  ) -> some View {
    //@ List(photos) { photo in TrackedRow(photo.id, tracker) { Text($0.value ?? "…") } }
  }
#endif
