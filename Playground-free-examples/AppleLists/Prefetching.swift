#if canImport(UIKit) && !os(watchOS)
  import RowOperations
  import UIKit

  /// Apple's samples of prefetching: a collection of colours that take a while to make.
  ///
  /// The original fetches by id and cancels by id when the collection view takes a prefetch back, also
  /// where a cell on screen waits for the same fetch: that cell stays grey. Here a prefetch is a claim
  /// of its own, and taking it back leaves the display's.
  final class ColorsViewController: UICollectionViewController {
    private let ids = (0..<1_000).map { _ in UUID() }
    private let tracker = DisplayTracker<UUID, UIColor> { context in
      try await Task.sleep(for: .seconds(1))
      return UIColor(hue: CGFloat(context.row.uuid.0) / 255, saturation: 1, brightness: 1, alpha: 1)
    }
    private lazy var tracking = ListTracking(collectionView, tracker) { [unowned self] path in
      ids[path.item]
    }

    override func viewDidLoad() {
      super.viewDidLoad()
      collectionView.register(UICollectionViewCell.self, forCellWithReuseIdentifier: "colour")
    }

    override func collectionView(
      _ view: UICollectionView, numberOfItemsInSection section: Int
    ) -> Int { ids.count }

    override func collectionView(
      _ view: UICollectionView, cellForItemAt path: IndexPath
    ) -> UICollectionViewCell {
      let cell = view.dequeueReusableCell(withReuseIdentifier: "colour", for: path)
      tracker.bind(cell, to: ids[path.item]) { $0.backgroundColor = $1.value ?? .systemGray }
      return cell
    }

    override func collectionView(
      _ view: UICollectionView, willDisplay cell: UICollectionViewCell, forItemAt path: IndexPath
    ) { tracking.willDisplay(cell) }

    override func collectionView(
      _ view: UICollectionView, didEndDisplaying cell: UICollectionViewCell,
      forItemAt path: IndexPath
    ) { tracking.didEndDisplaying(cell) }
  }
#endif
