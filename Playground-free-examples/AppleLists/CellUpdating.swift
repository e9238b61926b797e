#if canImport(UIKit) && !os(watchOS)
  import RowOperations
  import UIKit

  /// The recipe of many articles: a dictionary of operations by the row's identifier, an operation
  /// that writes its own `isExecuting` and `isFinished`, and a cancel when the cell leaves.
  ///
  /// The original's operation reads as finished when it is cancelled, also before its queue has
  /// started it: the queue then throws an exception, or waits for ever. Its two flags are written
  /// on one thread and read on another. Here the app writes neither.
  final class PricesViewController: UITableViewController {
    var articles: [String] = []
    private let tracker = DisplayTracker<String, Decimal>(operation: PriceUpdate.init(token:))

    override func viewDidLoad() {
      super.viewDidLoad()
      tableView.register(UITableViewCell.self, forCellReuseIdentifier: "price")
      // Instead of the dictionary, and of cancelling by index path.
      ListTracking(tableView, tracker, ids: { [weak self] in self?.articles ?? [] })
    }

    override func tableView(_ table: UITableView, numberOfRowsInSection section: Int) -> Int {
      articles.count
    }

    override func tableView(
      _ table: UITableView, cellForRowAt path: IndexPath
    ) -> UITableViewCell {
      let cell = table.dequeueReusableCell(withIdentifier: "price", for: path)
      let article = articles[path.row]
      tracker.bind(cell, to: article) { cell, phase in
        var content = UIListContentConfiguration.valueCell()
        content.text = article
        content.secondaryText = phase.value?.formatted() ?? "…"
        cell.contentConfiguration = content
      }
      return cell
    }
  }

  // Sendable: it has nothing of its own.
  private final class PriceUpdate: UpdateOperation<String, Decimal>, @unchecked Sendable {
    override func update(_ context: UpdateContext<String, Decimal>) async throws -> Decimal {
      guard let url = URL(string: "https://example.com/prices/\(context.row)") else {
        throw URLError(.badURL)
      }
      let data = try await context.fetch(url)
      return try JSONDecoder().decode(Decimal.self, from: data)
    }
  }
#endif
