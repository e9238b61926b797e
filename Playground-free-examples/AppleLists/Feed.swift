#if canImport(SwiftUI)
  import RowOperations
  import SwiftUI

  /// A SwiftUI feed: a placeholder, a failed row with a button, pull to refresh, and further pages as
  /// the end comes into sight.
  @MainActor
  struct FeedView: View {
    @State private var ids = Array(0..<50)
    @State private var tracker = DisplayTracker<Int, String> { try await headline(of: $0.row) }

    var body: some View {
      List(ids, id: \.self) { id in
        TrackedRow(id, tracker) { phase in
          HeadlineRow(phase: phase) { tracker.retry(id) }
        }
        .onAppear { loadMore(after: id) }
      }
      .reportsScrolling(to: tracker)
      .refreshable { await tracker.refresh(ids) }
      .onAppear { tracker.resume() }
      .onDisappear { tracker.suspend() }
    }

    private func loadMore(after id: Int) {
      guard let last = ids.last, id > last - 10, ids.count < 10_000 else { return }
      ids += last + 1...last + 50
    }
  }

  private struct HeadlineRow: View {
    let phase: RowPhase<String>
    let retry: () -> Void

    var body: some View {
      if let headline = phase.value {
        Text(headline).opacity(phase.isPending ? 0.6 : 1)
      } else if phase.error != nil {
        Button("Try again", action: retry)
      } else {
        Text("A headline to come").redacted(reason: .placeholder)
      }
    }
  }

  private func headline(of id: Int) async throws -> String {
    guard let url = URL(string: "https://example.com/feed/\(id)") else { throw URLError(.badURL) }
    let data = try await URLSession.shared.fetch(url)
    return String(decoding: data, as: UTF8.self)
  }
#endif
