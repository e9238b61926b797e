#if canImport(SwiftUI)
  import RowOperations
  import SwiftUI

  /// A SwiftUI list.
  ///
  /// The state object of a row is its cell.
  @MainActor
  struct FeedView: View {
    let ids: [Int]
    @State private var tracker = DisplayTracker<Int, String> { try await headline(of: $0.row) }

    var body: some View {
      List(ids, id: \.self) { id in
        FeedRow(id: id, tracker: tracker)
      }
      .refreshable { await tracker.refresh(ids) }
    }
  }

  @MainActor
  struct FeedRow: View {
    let id: Int
    let tracker: DisplayTracker<Int, String>
    @StateObject private var cell = FeedCell()

    var body: some View {
      Text(cell.phase.value ?? "…")
        .foregroundStyle(cell.phase.error == nil ? .primary : .secondary)
        .onAppear {
          tracker.bind(cell, to: id) { $0.phase = $1 }
          tracker.willDisplay(cell)
        }
        .onDisappear { tracker.didEndDisplaying(cell) }
    }
  }

  @MainActor
  private final class FeedCell: ObservableObject {
    @Published var phase: RowPhase<String> = .idle
  }

  private func headline(of id: Int) async throws -> String {
    guard let url = URL(string: "https://example.com/feed/\(id)") else { throw URLError(.badURL) }
    let (data, _) = try await URLSession.shared.data(from: url)
    return String(decoding: data, as: UTF8.self)
  }
#endif
