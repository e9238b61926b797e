#if canImport(UIKit) && !os(watchOS)
  import RowOperations
  import UIKit

  struct Album: Hashable, Sendable, Identifiable {
    let id: String
    let photos: [Photo]
  }

  struct Photo: Hashable, Sendable, Identifiable {
    let id: UUID
    let url: URL
  }

  /// A collection view with sections and a diffable data source: rows are named by their ids, which
  /// survive every snapshot.
  final class GalleryViewController: UICollectionViewController {
    private var ids: [[Photo.ID]] = []
    private var urls: [Photo.ID: URL] = [:]
    private lazy var source = makeSource()
    private lazy var tracker = DisplayTracker<Photo.ID, UIImage> { [weak self] token in
      self?.urls[token.row].map { PhotoUpdate(token: token, url: $0) }
    }

    override func viewDidLoad() {
      super.viewDidLoad()
      collectionView.dataSource = source
      ListTracking(collectionView, tracker, ids: { [weak self] in self?.ids ?? [] })
    }

    func show(_ albums: [Album]) {
      let photos = albums.flatMap(\.photos)
      let gone = Set(urls.keys).subtracting(photos.map(\.id))
      ids = albums.map { $0.photos.map(\.id) }
      // A snapshot wants each id once, too.
      urls = Dictionary(uniqueKeysWithValues: photos.map { ($0.id, $0.url) })
      var snapshot = NSDiffableDataSourceSnapshot<Album.ID, Photo.ID>()
      for album in albums {
        snapshot.appendSections([album.id])
        snapshot.appendItems(album.photos.map(\.id), toSection: album.id)
      }
      source.apply(snapshot)
      tracker.remove(gone)
    }

    private func makeSource() -> UICollectionViewDiffableDataSource<Album.ID, Photo.ID> {
      let cells = UICollectionView.CellRegistration<PhotoCell, Photo.ID> { [tracker] cell, _, id in
        tracker.bind(cell, to: id) { $0.show($1) }
      }
      return UICollectionViewDiffableDataSource(collectionView: collectionView) { view, path, id in
        view.dequeueConfiguredReusableCell(using: cells, for: path, item: id)
      }
    }
  }

  /// A subclass instead of a closure, for an app that keeps its updates in types of their own.
  private final class PhotoUpdate: UpdateOperation<Photo.ID, UIImage>, @unchecked Sendable {
    // Sendable: it never changes.
    private let url: URL

    init(token: RowToken<Photo.ID>, url: URL) {
      self.url = url
      super.init(token: token)
    }

    override func update(_ context: UpdateContext<Photo.ID, UIImage>) async throws -> UIImage {
      let data = try await context.fetch(url)
      return try await context.stage(.decode) {
        guard let image = await UIImage(data: data)?.byPreparingForDisplay() else {
          throw URLError(.cannotDecodeContentData)
        }
        return image
      }
    }
  }

  private final class PhotoCell: UICollectionViewCell {
    private let picture = UIImageView()

    override init(frame: CGRect) {
      super.init(frame: frame)
      picture.frame = contentView.bounds
      picture.autoresizingMask = [.flexibleWidth, .flexibleHeight]
      contentView.addSubview(picture)
    }

    required init?(coder: NSCoder) { nil }

    func show(_ phase: RowPhase<UIImage>) {
      picture.image = phase.value
      picture.backgroundColor = phase.error == nil ? .systemGray : .systemRed
    }
  }
#endif
