#if canImport(UIKit) && !os(watchOS)
  import RowOperations
  import UIKit

  struct AppRecord: Hashable, Sendable, Identifiable {
    let id: String
    let name: String
    let icon: URL
  }

  /// Apple's LazyTableImages: icons are downloaded only when the table rests.
  ///
  /// The original keeps its downloads in a dictionary by index path and looks the cell up by that
  /// path when the icon is there: after an insertion or a deletion the icon goes to another row.
  /// Here rows are named by the app's id.
  final class TopPaidAppsViewController: UITableViewController {
    var records: [AppRecord] = []
    private lazy var tracker = DisplayTracker(configuration: configuration) { context in
      let data = try await context.fetch(context.row.icon)
      return try await context.stage(.decode) {
        let size = CGSize(width: 48, height: 48)
        guard let icon = await UIImage(data: data)?.byPreparingThumbnail(ofSize: size) else {
          throw URLError(.cannotDecodeContentData)
        }
        return icon
      }
    }

    private var configuration: TrackerConfiguration<AppRecord, UIImage> {
      var configuration = TrackerConfiguration<AppRecord, UIImage>()
      configuration.scrollPolicy = .whenSettled
      return configuration
    }

    override func viewDidLoad() {
      super.viewDidLoad()
      tableView.register(UITableViewCell.self, forCellReuseIdentifier: "app")
      ListTracking(tableView, tracker, ids: { [weak self] in self?.records ?? [] })
    }

    override func tableView(_ table: UITableView, numberOfRowsInSection section: Int) -> Int {
      records.count
    }

    override func tableView(
      _ table: UITableView, cellForRowAt path: IndexPath
    ) -> UITableViewCell {
      let cell = table.dequeueReusableCell(withIdentifier: "app", for: path)
      let record = records[path.row]
      tracker.bind(cell, to: record) { cell, phase in
        var content = UIListContentConfiguration.cell()
        content.text = record.name
        content.image = phase.value ?? UIImage(systemName: "app.dashed")
        cell.contentConfiguration = content
      }
      return cell
    }
  }
#endif
