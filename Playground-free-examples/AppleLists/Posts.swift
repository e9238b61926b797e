#if canImport(UIKit) && !os(watchOS)
  import RowOperations
  import UIKit

  struct Post: Hashable, Sendable, Identifiable {
    let id: Int
    let text: String
    let avatar: URL?
    /// Up to four.
    let pictures: [URL]
  }

  /// A post with five pictures: an avatar, and up to four pictures.
  ///
  /// The rows of the tracker are pictures, not posts. Each view inside a cell is bound to one, in
  /// the cell. A view is displayed while its cell is. Posts by one author share one load of the
  /// avatar.
  final class PostsViewController: UITableViewController {
    var posts: [Post] = []
    private let pictures = DisplayTracker<URL, UIImage> { try await picture($0) }

    override func viewDidLoad() {
      super.viewDidLoad()
      tableView.register(PostCell.self, forCellReuseIdentifier: "post")
      ListTracking(tableView, pictures, ids: { [weak self] in self?.posts ?? [] }) { post in
        [post.avatar].compactMap(\.self) + post.pictures
      }
    }

    override func tableView(_ table: UITableView, numberOfRowsInSection section: Int) -> Int {
      posts.count
    }

    override func tableView(
      _ table: UITableView, cellForRowAt path: IndexPath
    ) -> UITableViewCell {
      let cell = table.dequeueReusableCell(withIdentifier: "post", for: path)
      if let cell = cell as? PostCell { configure(cell, for: posts[path.row]) }
      return cell
    }

    private func configure(_ cell: PostCell, for post: Post) {
      cell.body.text = post.text
      pictures.bind(cell.avatar, to: post.avatar, in: cell) { $0.image = $1.value }
      for (place, view) in cell.pictures.enumerated() {
        // A cell that is used again may show fewer pictures: all four views are bound each time.
        let url = place < post.pictures.count ? post.pictures[place] : nil
        view.isHidden = url == nil
        pictures.bind(view, to: url, in: cell) { $0.image = $1.value }
      }
    }
  }

  private final class PostCell: UITableViewCell {
    let avatar = UIImageView()
    let body = UILabel()
    let pictures = (0..<4).map { _ in UIImageView() }

    override init(style: UITableViewCell.CellStyle, reuseIdentifier: String?) {
      super.init(style: style, reuseIdentifier: reuseIdentifier)
      body.numberOfLines = 0
      for view in pictures + [avatar] {
        view.contentMode = .scaleAspectFill
        view.clipsToBounds = true
        view.backgroundColor = .systemGray
      }
      let head = UIStackView(arrangedSubviews: [avatar, body])
      head.spacing = 8
      head.alignment = .top
      let grid = UIStackView(arrangedSubviews: pictures)
      grid.spacing = 2
      grid.distribution = .fillEqually
      let all = UIStackView(arrangedSubviews: [head, grid])
      all.axis = .vertical
      all.spacing = 8
      contentView.fill(with: all)
      NSLayoutConstraint.activate([
        avatar.widthAnchor.constraint(equalToConstant: 40),
        avatar.heightAnchor.constraint(equalToConstant: 40),
        grid.heightAnchor.constraint(equalToConstant: 120),
      ])
    }

    required init?(coder: NSCoder) { nil }
  }

  extension UIView {
    /// Adds a view that keeps to the margins.
    func fill(with view: UIView) {
      view.translatesAutoresizingMaskIntoConstraints = false
      addSubview(view)
      NSLayoutConstraint.activate([
        view.topAnchor.constraint(equalTo: layoutMarginsGuide.topAnchor),
        view.bottomAnchor.constraint(equalTo: layoutMarginsGuide.bottomAnchor),
        view.leadingAnchor.constraint(equalTo: layoutMarginsGuide.leadingAnchor),
        view.trailingAnchor.constraint(equalTo: layoutMarginsGuide.trailingAnchor),
      ])
    }
  }
#endif
