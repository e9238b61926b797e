#if canImport(SwiftUI)
  import RowOperations
  import SwiftUI

  private func headline(of id: Int) async throws -> String { "\(id)" }

  private enum Overview {
    //@ @MainActor
  }

  private struct Photo: Identifiable {
    let id: Int
  }

  private struct FeedCell: View {
    let phase: RowPhase<String>

    var body: some View { Text(phase.value ?? "") }
  }

  private struct AdvertisementView: View {
    var body: some View { EmptyView() }
  }

  @MainActor
  private struct Pages: View {
    let ids: [Int]
    let tracker: DisplayTracker<Int, String>

    var body: some View {
      List(ids, id: \.self) { id in
        //@ TrackedRow(id, tracker) { phase in Text(phase.value ?? "…") }
      }
    }

    let isLoadingPage = false
    func loadNextPage() {}
  }

  private typealias Article = URL

  @MainActor
  private struct Mixed: View {
    //@ enum FeedRow: Hashable, Sendable { case photo(Photo.ID), article(URL), advertisement }

    let rows: [FeedRow]
    let tracker: DisplayTracker<FeedRow, String>

    var body: some View {
      //@ List(rows, id: \.self) { row in
    }
  }

  @MainActor
  private func record(_ tracker: DisplayTracker<Int, String>) {
    //@ tracker.recordEvents { line in print(line) }
  }
#endif
