#if canImport(UIKit) && !os(watchOS)
  import RowOperations
  import UIKit

  struct Shelf: Hashable, Sendable, Identifiable {
    let id: Int
    let covers: [URL]
  }

  /// A list of carousels: each row is a collection view that scrolls sideways.
  ///
  /// One tracker serves all of them. A cover is displayed while its own collection view shows it
  /// and the shelf is on screen, so shelves that have left hold no slots.
  final class ShelvesViewController: UITableViewController {
    var shelves: [Shelf] = []
    private let covers = DisplayTracker<URL, UIImage> { try await picture($0) }

    override func viewDidLoad() {
      super.viewDidLoad()
      tableView.register(ShelfCell.self, forCellReuseIdentifier: "shelf")
      tableView.rowHeight = 166
      // The first covers of a shelf are prefetched before it comes on screen.
      ListTracking(tableView, covers, ids: { [weak self] in self?.shelves ?? [] }) { shelf in
        Array(shelf.covers.prefix(4))
      }
    }

    override func tableView(_ table: UITableView, numberOfRowsInSection section: Int) -> Int {
      shelves.count
    }

    override func tableView(
      _ table: UITableView, cellForRowAt path: IndexPath
    ) -> UITableViewCell {
      let cell = table.dequeueReusableCell(withIdentifier: "shelf", for: path)
      (cell as? ShelfCell)?.show(shelves[path.row], covers)
      return cell
    }
  }

  private final class ShelfCell: UITableViewCell, UICollectionViewDataSource {
    private let carousel = UICollectionView(frame: .zero, collectionViewLayout: layout)
    private var urls: [URL] = []
    private var covers: DisplayTracker<URL, UIImage>?

    private static var layout: UICollectionViewFlowLayout {
      let layout = UICollectionViewFlowLayout()
      layout.scrollDirection = .horizontal
      layout.itemSize = CGSize(width: 100, height: 150)
      return layout
    }

    override init(style: UITableViewCell.CellStyle, reuseIdentifier: String?) {
      super.init(style: style, reuseIdentifier: reuseIdentifier)
      carousel.register(CoverCell.self, forCellWithReuseIdentifier: "cover")
      carousel.dataSource = self
      carousel.frame = contentView.bounds
      carousel.autoresizingMask = [.flexibleWidth, .flexibleHeight]
      contentView.addSubview(carousel)
    }

    required init?(coder: NSCoder) { nil }

    func show(_ shelf: Shelf, _ covers: DisplayTracker<URL, UIImage>) {
      if self.covers == nil {
        self.covers = covers
        ListTracking(carousel, covers, ids: { [weak self] in self?.urls ?? [] })
      }
      // The covers of the shelf that this cell showed before are unbound.
      covers.unbind(self)
      urls = shelf.covers
      carousel.contentOffset = .zero
      carousel.reloadData()
    }

    func collectionView(_ view: UICollectionView, numberOfItemsInSection section: Int) -> Int {
      urls.count
    }

    func collectionView(
      _ view: UICollectionView, cellForItemAt path: IndexPath
    ) -> UICollectionViewCell {
      let item = view.dequeueReusableCell(withReuseIdentifier: "cover", for: path)
      if let item = item as? CoverCell {
        covers?.bind(item, to: urls[path.item], in: self) { $0.picture.image = $1.value }
      }
      return item
    }
  }

  private final class CoverCell: UICollectionViewCell {
    let picture = UIImageView()

    override init(frame: CGRect) {
      super.init(frame: frame)
      picture.frame = contentView.bounds
      picture.autoresizingMask = [.flexibleWidth, .flexibleHeight]
      picture.backgroundColor = .systemGray
      contentView.addSubview(picture)
    }

    required init?(coder: NSCoder) { nil }
  }
#endif
