#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  import RowOperations
  import UIKit

  /// A table of images: decoded off the main actor, with a placeholder, a failed row that a tap
  /// loads again, and pull to refresh.
  final class ThumbnailsViewController: UITableViewController {
    private let urls = (1...10_000).compactMap { URL(string: "https://example.com/\($0).jpg") }
    private let tracker = DisplayTracker(configuration: configuration) { context in
      try await thumbnail(context)
    }

    private static var configuration: TrackerConfiguration<URL, UIImage> {
      var configuration = TrackerConfiguration<URL, UIImage>()
      configuration.timeout = .seconds(20)
      configuration.retention = .cost(limit: 64 << 20) { image in
        Int(image.size.width * image.size.height * image.scale * image.scale * 4)
      }
      return configuration
    }

    override func viewDidLoad() {
      super.viewDidLoad()
      tableView.register(UITableViewCell.self, forCellReuseIdentifier: "thumbnail")
      ListTracking(tableView, tracker, ids: { [urls] in urls })
      refreshControl = UIRefreshControl(
        frame: .zero, primaryAction: UIAction { [unowned self] _ in refresh() })
    }

    private func refresh() {
      let visible = (tableView.indexPathsForVisibleRows ?? []).map { urls[$0.row] }
      Task { [weak self, tracker] in
        // Rows off screen are loaded anew when they come back.
        tracker.invalidateAll()
        await tracker.refresh(visible)
        self?.refreshControl?.endRefreshing()
      }
    }

    override func tableView(_ table: UITableView, numberOfRowsInSection section: Int) -> Int {
      urls.count
    }

    override func tableView(
      _ table: UITableView, cellForRowAt path: IndexPath
    ) -> UITableViewCell {
      let cell = table.dequeueReusableCell(withIdentifier: "thumbnail", for: path)
      tracker.bind(cell, to: urls[path.row]) { $0.show($1) }
      return cell
    }

    override func tableView(_ table: UITableView, didSelectRowAt path: IndexPath) {
      table.deselectRow(at: path, animated: true)
      tracker.retry(urls[path.row])
    }
  }

  extension UITableViewCell {
    fileprivate func show(_ phase: RowPhase<UIImage>) {
      var content = UIListContentConfiguration.cell()
      content.imageProperties.maximumSize = CGSize(width: 60, height: 60)
      content.image = phase.value ?? UIImage(systemName: "photo")
      if phase.error != nil {
        content.image = UIImage(systemName: "exclamationmark.triangle")
        content.text = "Tap to try again"
      }
      contentConfiguration = content
    }
  }

  private func thumbnail(_ context: UpdateContext<URL, UIImage>) async throws -> UIImage {
    let data = try await context.fetch(context.row)
    return try await context.stage(.decode) {
      let size = CGSize(width: 180, height: 180)
      guard let image = await UIImage(data: data)?.byPreparingThumbnail(ofSize: size) else {
        throw URLError(.cannotDecodeContentData)
      }
      return image
    }
  }
#endif
