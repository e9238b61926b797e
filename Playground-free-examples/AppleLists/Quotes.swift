#if canImport(SwiftUI)
  import RowOperations
  import SwiftUI

  /// Stocks whose prices are live while their rows are on screen.
  ///
  /// A price whose stream has failed turns grey, until the stream opens again.
  @MainActor
  struct QuotesView: View {
    let stocks: [String]
    @State private var prices: DisplayTracker<String, Double>

    /// - Parameter quotes: Opens the stream of a stock's prices, which begins with the current one.
    init(
      stocks: [String],
      quotes: @escaping @Sendable (String) -> AsyncThrowingStream<Double, any Error>
    ) {
      self.stocks = stocks
      _prices = State(initialValue: DisplayTracker(updates: { quotes($0.row) }))
    }

    var body: some View {
      List(stocks, id: \.self) { stock in
        TrackedRow(stock, prices) { phase in
          HStack {
            Text(stock)
            Spacer()
            Text(phase.value?.formatted(.currency(code: "EUR")) ?? "–")
              .monospacedDigit()
              .foregroundStyle(phase.error == nil ? .primary : .secondary)
          }
        }
      }
      .trackedRows(stocks, prices)
    }
  }
#endif
