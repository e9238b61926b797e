#if canImport(UIKit) && !os(watchOS)
  import RowOperations
  import UIKit

  /// A feed of pictures that a library loads and keeps: see `PictureLibrary`.
  ///
  /// With Nuke the library is these lines, with `import Nuke`:
  /// ```
  /// struct NukePictures: PictureLibrary {
  ///   func pictureInMemory(for url: URL) -> UIImage? {
  ///     ImagePipeline.shared.cache[url]?.image
  ///   }
  ///   func picture(for url: URL) async throws -> UIImage {
  ///     try await ImagePipeline.shared.image(for: url)
  ///   }
  /// }
  /// ```
  final class PictureLibraryFeedViewController: UICollectionViewController {
    private let urls: [URL]
    private let pictures: DisplayTracker<URL, UIImage>

    init(_ urls: [URL], from library: some PictureLibrary<UIImage>) {
      self.urls = urls
      pictures = DisplayTracker(pictures: library)
      super.init(collectionViewLayout: UICollectionViewFlowLayout())
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
      super.viewDidLoad()
      collectionView.register(UICollectionViewListCell.self, forCellWithReuseIdentifier: "picture")
      ListTracking(collectionView, pictures, ids: { [urls] in urls })
    }

    override func collectionView(
      _ view: UICollectionView, numberOfItemsInSection section: Int
    ) -> Int { urls.count }

    override func collectionView(
      _ view: UICollectionView, cellForItemAt path: IndexPath
    ) -> UICollectionViewCell {
      let cell = view.dequeueReusableCell(withReuseIdentifier: "picture", for: path)
      // In place of `imageView.kf.setImage(with:)` and its like.
      pictures.bind(cell, to: urls[path.item]) { cell, phase in
        var content = UIListContentConfiguration.cell()
        content.image = phase.value ?? UIImage(systemName: "photo")
        cell.contentConfiguration = content
      }
      return cell
    }
  }
#endif
