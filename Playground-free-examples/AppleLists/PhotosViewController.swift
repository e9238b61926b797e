#if canImport(UIKit) && !os(watchOS)
  import RowOperations
  import UIKit

  struct Photo: Hashable, Sendable, Identifiable {
    let id: UUID
    let url: URL
  }

  /// A collection view with a diffable data source: rows are named by their ids, which survive every
  /// snapshot; prefetching, scrolling and where a fling will land are told as well.
  final class PhotosViewController: UICollectionViewController {
    private var photos: [Photo.ID: Photo] = [:]
    private lazy var source = makeSource()
    private lazy var tracker = DisplayTracker(configuration: configuration) { [weak self] token in
      self?.photos[token.row].map { ThumbnailUpdate(token: token, url: $0.url) }
    }

    private var configuration: TrackerConfiguration<Photo.ID, UIImage> {
      var configuration = TrackerConfiguration<Photo.ID, UIImage>()
      configuration.timeout = .seconds(20)
      configuration.retention = .cost(limit: 64 << 20) { Int($0.size.width * $0.size.height * 4) }
      return configuration
    }

    override func viewDidLoad() {
      super.viewDidLoad()
      collectionView.dataSource = source
      collectionView.prefetchDataSource = self
    }

    func show(_ photos: [Photo]) {
      let gone = Set(self.photos.keys).subtracting(photos.map(\.id))
      self.photos = Dictionary(uniqueKeysWithValues: photos.map { ($0.id, $0) })
      var snapshot = NSDiffableDataSourceSnapshot<Int, Photo.ID>()
      snapshot.appendSections([0])
      snapshot.appendItems(photos.map(\.id))
      source.apply(snapshot)
      tracker.remove(gone)
    }

    private func makeSource() -> UICollectionViewDiffableDataSource<Int, Photo.ID> {
      let registration = UICollectionView.CellRegistration<PhotoCell, Photo.ID> {
        [tracker] cell, _, id in
        tracker.bind(cell, to: id) { $0.show($1) }
      }
      return UICollectionViewDiffableDataSource(collectionView: collectionView) { view, path, id in
        view.dequeueConfiguredReusableCell(using: registration, for: path, item: id)
      }
    }

    override func collectionView(
      _ view: UICollectionView, willDisplay cell: UICollectionViewCell, forItemAt path: IndexPath
    ) { tracker.willDisplay(cell) }

    override func collectionView(
      _ view: UICollectionView, didEndDisplaying cell: UICollectionViewCell,
      forItemAt path: IndexPath
    ) { tracker.didEndDisplaying(cell) }

    override func scrollViewWillBeginDragging(_ view: UIScrollView) { tracker.scrollWillBegin() }

    override func scrollViewDidScroll(_ view: UIScrollView) {
      if view.isTracking || view.isDecelerating { tracker.scrollDidMove() }
    }

    override func scrollViewWillEndDragging(
      _ view: UIScrollView, withVelocity velocity: CGPoint,
      targetContentOffset target: UnsafeMutablePointer<CGPoint>
    ) {
      let landing = CGRect(origin: target.pointee, size: view.bounds.size)
      let cells = collectionViewLayout.layoutAttributesForElements(in: landing) ?? []
      let paths = cells.filter { $0.representedElementCategory == .cell }.map(\.indexPath).sorted()
      tracker.scrollWillEnd(landingOn: paths.compactMap(source.itemIdentifier(for:)))
    }

    override func scrollViewDidEndDragging(_ view: UIScrollView, willDecelerate: Bool) {
      if !willDecelerate { tracker.scrollDidSettle() }
    }

    override func scrollViewDidEndDecelerating(_ view: UIScrollView) { tracker.scrollDidSettle() }
  }

  extension PhotosViewController: UICollectionViewDataSourcePrefetching {
    func collectionView(_ view: UICollectionView, prefetchItemsAt paths: [IndexPath]) {
      tracker.prefetch(paths.compactMap(source.itemIdentifier(for:)))
    }

    func collectionView(_ view: UICollectionView, cancelPrefetchingForItemsAt paths: [IndexPath]) {
      tracker.cancelPrefetch(paths.compactMap(source.itemIdentifier(for:)))
    }
  }

  /// A subclass instead of a closure, for an app that keeps its updates in types of their own.
  final class ThumbnailUpdate: UpdateOperation<Photo.ID, UIImage>, @unchecked Sendable {
    private let url: URL

    init(token: RowToken<Photo.ID>, url: URL) {
      self.url = url
      super.init(token: token)
    }

    override func update(_ context: UpdateContext<Photo.ID>) async throws -> UIImage {
      let (data, _) = try await context.stage(.fetch) {
        try await URLSession.shared.data(from: url)
      }
      return try await context.stage(.decode) {
        guard let image = await UIImage(data: data)?.byPreparingForDisplay() else {
          throw URLError(.cannotDecodeContentData)
        }
        return image
      }
    }
  }

  final class PhotoCell: UICollectionViewCell {
    private let picture = UIImageView()
    private let spinner = UIActivityIndicatorView(style: .medium)

    override init(frame: CGRect) {
      super.init(frame: frame)
      for view in [picture, spinner] {
        view.frame = contentView.bounds
        view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        contentView.addSubview(view)
      }
    }

    required init?(coder: NSCoder) { nil }

    func show(_ phase: RowPhase<UIImage>) {
      picture.image = phase.error == nil ? phase.value : UIImage(systemName: "exclamationmark")
      phase.isPending ? spinner.startAnimating() : spinner.stopAnimating()
    }
  }
#endif
