import Foundation
import RowInspector
import RowOperations
import RowOperationsTesting

private struct Photo: Identifiable {
  let id: Int
}

#if canImport(SwiftUI)
  import SwiftUI

  @MainActor
  private func list(_ photos: [Photo], _ tracker: DisplayTracker<Photo.ID, String>) -> some View {
    //@ List(photos) { photo in
  }
#endif

@MainActor
private func record(_ tracker: DisplayTracker<Photo.ID, String>, _ url: URL) throws {
  //@ let inspector = ListInspector(tracker)  // Keep it while it records.
}

#if canImport(Testing)
  import Testing

  @MainActor
  private func replay(_ url: URL) throws {
    //@ let replay = try ListReplay(contentsOf: url)
  }
#endif
