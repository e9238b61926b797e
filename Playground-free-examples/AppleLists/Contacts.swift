#if canImport(UIKit) && !os(watchOS)
  import RowOperations
  import UIKit

  struct Contact: Hashable, Sendable {
    let id: Int
    let avatar: URL
  }

  /// A cell with two values that come and fail independently of each other: two trackers behind one
  /// list, which share their slots.
  ///
  /// The row of an avatar is its URL, so contacts with the same avatar share its download. One
  /// request loads the statuses of all contacts on screen.
  final class ContactsViewController: UITableViewController {
    var contacts: [Contact] = []
    private let slots = UpdateSlots(6)
    private lazy var avatars = DisplayTracker(configuration: avatarConfiguration) { context in
      try await avatar(at: context.row)
    }
    private lazy var statuses = DisplayTracker(
      configuration: statusConfiguration, batchesOf: 50
    ) { batch in
      try await statusTexts(of: batch)
    }

    private var avatarConfiguration: TrackerConfiguration<URL, UIImage> {
      var configuration = TrackerConfiguration<URL, UIImage>()
      configuration.slots = slots
      return configuration
    }

    private var statusConfiguration: TrackerConfiguration<Contact, String> {
      var configuration = TrackerConfiguration<Contact, String>()
      configuration.slots = slots
      configuration.retry = .backoff(.exponential(from: .seconds(1), limit: 3))
      return configuration
    }

    override func viewDidLoad() {
      super.viewDidLoad()
      tableView.register(ContactCell.self, forCellReuseIdentifier: "contact")
      // Rows of different types: a tracking for each.
      ListTracking(tableView, avatars, ids: { [weak self] in self?.contacts.map(\.avatar) ?? [] })
      ListTracking(tableView, statuses, ids: { [weak self] in self?.contacts ?? [] })
    }

    override func tableView(_ table: UITableView, numberOfRowsInSection section: Int) -> Int {
      contacts.count
    }

    override func tableView(
      _ table: UITableView, cellForRowAt path: IndexPath
    ) -> UITableViewCell {
      let cell = table.dequeueReusableCell(withIdentifier: "contact", for: path)
      let contact = contacts[path.row]
      avatars.bind(cell, to: contact.avatar) { $0.imageView?.image = $1.value }
      statuses.bind(cell, to: contact) { $0.detailTextLabel?.text = $1.value ?? " " }
      return cell
    }
  }

  private final class ContactCell: UITableViewCell {
    override init(style: UITableViewCell.CellStyle, reuseIdentifier: String?) {
      super.init(style: .subtitle, reuseIdentifier: reuseIdentifier)
    }

    required init?(coder: NSCoder) { nil }
  }

  private func avatar(at url: URL) async throws -> UIImage {
    let data = try await URLSession.shared.fetch(url)
    guard let image = await UIImage(data: data)?.byPreparingForDisplay() else {
      throw URLError(.cannotDecodeContentData)
    }
    return image
  }

  private func statusTexts(of batch: BatchContext<Contact>) async throws -> [Contact: String] {
    let ids = batch.rows.map { String($0.id) }.joined(separator: ",")
    guard let url = URL(string: "https://example.com/statuses/\(ids)") else {
      throw URLError(.badURL)
    }
    let texts = try JSONDecoder().decode([Int: String].self, from: await batch.fetch(url))
    let pairs = batch.rows.compactMap { contact in texts[contact.id].map { (contact, $0) } }
    return Dictionary(uniqueKeysWithValues: pairs)
  }
#endif
