import ImageIO
import RowOperations
import SwiftUI

/// The lists of AppleLists, one in each tab.
///
/// Their server is in the app: see `SampleServer`.
@main
struct RowsApp: App {
  init() { SampleServer.start() }

  var body: some Scene {
    WindowGroup { Tabs() }
  }
}

@MainActor
private struct Tabs: View {
  @State private var posts = FeedPost.page(after: 0) + FeedPost.page(after: 10)
  @State private var pages = DisplayTracker<FeedPost, CGImage> { context in
    let data = try await context.fetch(context.row.picture)
    return try await context.stage(.decode) { try decode(data) }
  }

  var body: some View {
    TabView {
      Feed().tabItem { Label("Feed", systemImage: "newspaper") }
      FeedOfPages(posts: posts, tracker: pages)
        .tabItem { Label("Pages", systemImage: "rectangle.stack") }
      #if canImport(UIKit)
        ForEach(ListTab.all) { tab in
          Hosted(tab: tab).ignoresSafeArea().tabItem {
            Label(tab.title, systemImage: tab.symbol)
          }
        }
        QuotesView(stocks: Samples.stocks) { Samples.quotes(of: $0) }
          .tabItem { Label("Quotes", systemImage: "chart.line.uptrend.xyaxis") }
        TraceTab().tabItem { Label("Trace", systemImage: "waveform") }
      #endif
    }
  }
}

private func decode(_ data: Data) throws -> CGImage {
  guard let source = CGImageSourceCreateWithData(data as CFData, nil),
    let image = CGImageSourceCreateImageAtIndex(source, 0, nil)
  else { throw CocoaError(.fileReadCorruptFile) }
  return image
}
