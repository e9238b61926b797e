#if canImport(UIKit) && !os(watchOS)
  import RowOperations
  import UIKit

  struct Contact: Hashable, Sendable, Identifiable {
    let id: Int
    let avatar: URL
  }

  /// A cell that shows two resources that come and fail independently of each other: two trackers,
  /// one set of slots.
  ///
  /// Contacts with the same avatar share its download.
  final class ContactsViewController: UITableViewController {
    var contacts: [Contact] = []
    private let slots = UpdateSlots(6)
    private lazy var avatars = DisplayTracker(configuration: avatarConfiguration) { context in
      try await avatar(of: context.row)
    }
    private lazy var statuses = DisplayTracker(configuration: statusConfiguration) { context in
      try await status(of: context.row)
    }

    private var avatarConfiguration: TrackerConfiguration<Contact, UIImage> {
      var configuration = TrackerConfiguration<Contact, UIImage>()
      configuration.slots = slots
      configuration.resource = { $0.avatar }
      return configuration
    }

    private var statusConfiguration: TrackerConfiguration<Contact.ID, String> {
      var configuration = TrackerConfiguration<Contact.ID, String>()
      configuration.slots = slots
      configuration.retry = .backoff(.exponential(from: .seconds(1), limit: 3))
      return configuration
    }

    override func tableView(_ table: UITableView, numberOfRowsInSection section: Int) -> Int {
      contacts.count
    }

    override func tableView(
      _ table: UITableView, cellForRowAt path: IndexPath
    ) -> UITableViewCell {
      let cell = table.dequeueReusableCell(withIdentifier: "contact", for: path)
      let contact = contacts[path.row]
      avatars.bind(cell, to: contact) { $0.imageView?.image = $1.value }
      statuses.bind(cell, to: contact.id) { $0.detailTextLabel?.text = $1.value }
      return cell
    }

    override func tableView(
      _ table: UITableView, willDisplay cell: UITableViewCell, forRowAt path: IndexPath
    ) {
      avatars.willDisplay(cell)
      statuses.willDisplay(cell)
    }

    override func tableView(
      _ table: UITableView, didEndDisplaying cell: UITableViewCell, forRowAt path: IndexPath
    ) {
      avatars.didEndDisplaying(cell)
      statuses.didEndDisplaying(cell)
    }
  }

  private func avatar(of contact: Contact) async throws -> UIImage {
    let (data, _) = try await URLSession.shared.data(from: contact.avatar)
    guard let image = UIImage(data: data) else { throw URLError(.cannotDecodeContentData) }
    return image
  }

  private func status(of id: Contact.ID) async throws -> String {
    guard let url = URL(string: "https://example.com/status/\(id)") else { throw URLError(.badURL) }
    let (data, _) = try await URLSession.shared.data(from: url)
    return String(decoding: data, as: UTF8.self)
  }
#endif
