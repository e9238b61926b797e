#if canImport(UIKit) && !os(watchOS)
  import RowOperations
  import UIKit

  /// A feed that goes on: its next page loads before the end comes on screen.
  ///
  /// `Pagination` decides which page to load, and whether the end shows a spinner or a button. Rows
  /// that stay keep their loads and values, as their ids are the same.
  final class InfiniteFeedViewController: UITableViewController {
    private var urls: [URL] = []
    private let pictures = DisplayTracker<URL, UIImage> { try await picture($0) }
    private let end = UIButton(frame: CGRect(x: 0, y: 0, width: 0, height: 60))
    private lazy var pages = Pagination { cursor in
      try await FeedPage.after(cursor)
    } receive: { [weak self] page, isFirst in
      self?.show(page.urls, replacesAll: isFirst)
      return page.next
    }

    override func viewDidLoad() {
      super.viewDidLoad()
      tableView.register(UITableViewCell.self, forCellReuseIdentifier: "picture")
      tableView.tableFooterView = end
      let retry = UIAction { [weak self] _ in self?.pages.retry() }
      end.addAction(retry, for: .primaryActionTriggered)
      pages.onChange = { [weak self] in self?.showEnd($0) }
      let tracking = ListTracking(tableView, pictures, ids: { [weak self] in self?.urls ?? [] })
      // An empty list loads its first page.
      tracking.pages = [pages]
    }

    private func show(_ new: [URL], replacesAll: Bool) {
      guard !replacesAll else {
        urls = new
        return tableView.reloadData()
      }
      let first = urls.count
      urls += new
      let paths = urls.indices.suffix(from: first).map { IndexPath(row: $0, section: 0) }
      tableView.insertRows(at: paths, with: .none)
    }

    private func showEnd(_ phase: Pagination.Phase) {
      var look = UIButton.Configuration.plain()
      switch phase {
      case .idle: look.title = " "
      case .loading: look.showsActivityIndicator = true
      case .failed: look.title = "Try again"
      case .atEnd: look.title = "That is all"
      }
      end.configuration = look
    }

    // MARK: Rows

    override func tableView(_ table: UITableView, numberOfRowsInSection section: Int) -> Int {
      urls.count
    }

    override func tableView(
      _ table: UITableView, cellForRowAt path: IndexPath
    ) -> UITableViewCell {
      let cell = table.dequeueReusableCell(withIdentifier: "picture", for: path)
      pictures.bind(cell, to: urls[path.row]) { cell, phase in
        var content = UIListContentConfiguration.cell()
        content.image = phase.value ?? UIImage(systemName: "photo")
        cell.contentConfiguration = content
      }
      return cell
    }
  }

  /// A page of the server's feed.
  private struct FeedPage: Decodable, Sendable {
    let urls: [URL]
    /// The next page's cursor; none at the end.
    let next: String?

    static func after(_ cursor: String?) async throws -> FeedPage {
      var address = URLComponents(string: "https://example.com/feed")
      address?.queryItems = cursor.map { [URLQueryItem(name: "after", value: $0)] }
      guard let url = address?.url else { throw URLError(.badURL) }
      return try JSONDecoder().decode(FeedPage.self, from: try await URLSession.shared.fetch(url))
    }
  }
#endif
