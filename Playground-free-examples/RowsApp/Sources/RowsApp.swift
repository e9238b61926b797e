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
  var body: some View {
    TabView {
      Feed().tabItem { Label("Feed", systemImage: "newspaper") }
      #if canImport(UIKit)
        ForEach(ListTab.all) { tab in
          Hosted(tab: tab).ignoresSafeArea().tabItem {
            Label(tab.title, systemImage: tab.symbol)
          }
        }
        QuotesView(stocks: Samples.stocks) { Samples.quotes(of: $0) }
          .tabItem { Label("Quotes", systemImage: "chart.line.uptrend.xyaxis") }
      #endif
    }
  }
}
