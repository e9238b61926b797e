#if canImport(UIKit) && !os(watchOS)
  import RowOperations
  import UIKit

  /// Apple's samples of prefetching: a collection of colours that take a while to make.
  ///
  /// The original fetches by id and cancels by id when the collection view takes a prefetch back,
  /// also where a cell on screen waits for the same fetch: that cell stays grey. Here a prefetch is
  /// a claim of its own, and the tracker prefetches by the order of the ids.
  final class ColorsViewController: UICollectionViewController {
    private let ids = (0..<1_000).map { _ in UUID() }
    private let tracker = DisplayTracker<UUID, UIColor> { context in
      try await Task.sleep(for: .seconds(1))
      return UIColor(hue: CGFloat(context.row.uuid.0) / 255, saturation: 1, brightness: 1, alpha: 1)
    }

    override func viewDidLoad() {
      super.viewDidLoad()
      collectionView.register(UICollectionViewCell.self, forCellWithReuseIdentifier: "colour")
      ListTracking(collectionView, tracker, ids: { [ids] in ids })
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
  }
#endif
