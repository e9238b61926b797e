#if canImport(UIKit) && !os(watchOS)
  import RowOperations
  import UIKit

  struct Message: Hashable, Sendable, Identifiable {
    let id: UUID
    let text: String
    let link: URL?
  }

  /// The title and the icon of a page that a message links to.
  struct LinkPreview: Sendable {
    let title: String
    let picture: UIImage?
  }

  /// A chat with bubbles that size themselves: one with a link grows when the preview is there.
  ///
  /// The table view measures a cell anew when its content changes, without
  /// `performBatchUpdates(nil)` after each commit. If the preview is there at once, the bubble has
  /// its height before it is first shown.
  final class ChatViewController: UITableViewController {
    private var messages: [Message] = []
    // Messages with the same link share its preview.
    private let previews = DisplayTracker<URL, LinkPreview> { try await preview($0) }

    override func viewDidLoad() {
      super.viewDidLoad()
      tableView.register(UITableViewCell.self, forCellReuseIdentifier: "bubble")
      tableView.selfSizingInvalidation = .enabledIncludingConstraints
      ListTracking(tableView, previews, ids: { [weak self] in self?.messages ?? [] }) { message in
        [message.link].compactMap(\.self)
      }
    }

    /// A message comes in.
    func receive(_ message: Message) {
      messages.append(message)
      let last = IndexPath(row: messages.count - 1, section: 0)
      tableView.insertRows(at: [last], with: .automatic)
      tableView.scrollToRow(at: last, at: .bottom, animated: true)
    }

    override func tableView(_ table: UITableView, numberOfRowsInSection section: Int) -> Int {
      messages.count
    }

    override func tableView(
      _ table: UITableView, cellForRowAt path: IndexPath
    ) -> UITableViewCell {
      let cell = table.dequeueReusableCell(withIdentifier: "bubble", for: path)
      let message = messages[path.row]
      // A message without a link is rendered once, as idle.
      previews.bind(cell, to: message.link) { cell, phase in
        var bubble = UIListContentConfiguration.subtitleCell()
        bubble.text = message.text
        bubble.secondaryText = phase.value?.title ?? (phase.isPending ? "…" : nil)
        bubble.image = phase.value?.picture
        cell.contentConfiguration = bubble
      }
      return cell
    }
  }

  private func preview(
    _ context: UpdateContext<URL, LinkPreview>
  ) async throws -> LinkPreview {
    let page = try await context.fetch(context.row, limit: 1 << 20)
    let title = pageTitle(of: String(decoding: page, as: UTF8.self)) ?? context.row.absoluteString
    // The title shows while the picture is on its way.
    context.show(LinkPreview(title: title, picture: nil))
    let icon = context.row.appending(path: "apple-touch-icon.png")
    let picture = try? await UIImage(data: context.fetch(icon))?.byPreparingForDisplay()
    try context.checkCancellation()
    return LinkPreview(title: title, picture: picture)
  }

  private func pageTitle(of page: String) -> String? {
    guard let start = page.range(of: "<title>"),
      let end = page.range(of: "</title>", range: start.upperBound..<page.endIndex)
    else { return nil }
    return String(page[start.upperBound..<end.lowerBound])
  }
#endif
