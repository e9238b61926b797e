#if canImport(UIKit) && !os(watchOS)
  import RowOperations
  import UIKit

  /// A table whose rows load, in ten lines.
  final class TitlesViewController: UITableViewController {
    let ids = Array(1...10_000)
    let tracker = DisplayTracker<Int, String> { try await downloadTitle(of: $0.row) }

    override func tableView(_ table: UITableView, numberOfRowsInSection section: Int) -> Int {
      ids.count
    }

    override func tableView(
      _ table: UITableView, cellForRowAt path: IndexPath
    ) -> UITableViewCell {
      let cell = table.dequeueReusableCell(withIdentifier: "title", for: path)
      tracker.bind(cell, to: ids[path.row]) { $0.textLabel?.text = $1.value ?? "…" }
      return cell
    }

    override func tableView(
      _ table: UITableView, willDisplay cell: UITableViewCell, forRowAt path: IndexPath
    ) { tracker.willDisplay(cell) }

    override func tableView(
      _ table: UITableView, didEndDisplaying cell: UITableViewCell, forRowAt path: IndexPath
    ) { tracker.didEndDisplaying(cell) }
  }

  private func downloadTitle(of id: Int) async throws -> String {
    guard let url = URL(string: "https://example.com/titles/\(id)") else { throw URLError(.badURL) }
    let (data, _) = try await URLSession.shared.data(from: url)
    return String(decoding: data, as: UTF8.self)
  }
#endif
