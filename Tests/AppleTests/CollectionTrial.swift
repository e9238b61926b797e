#if canImport(UIKit) && !os(watchOS)
  import RowOperations
  import UIKit

  /// A real collection view in a window: sections with headers, one of which scrolls by itself.
  @MainActor
  final class CollectionTrial: NSObject, UICollectionViewDataSource {
    /// The expectations that failed, in words.
    private(set) var violations: [String] = []

    private var sections = (0..<20).map { section in (0..<12).map { section * 100 + $0 } }
    private let tracker = DisplayTracker<Int, Int> { $0.row }
    private let window = UIWindow.trial()
    private let collection: UICollectionView

    override init() {
      collection = UICollectionView(
        frame: CGRect(x: 0, y: 0, width: 320, height: 600),
        collectionViewLayout: Self.layout())
      super.init()
      collection.register(UICollectionViewCell.self, forCellWithReuseIdentifier: "item")
      collection.register(
        UICollectionReusableView.self, forSupplementaryViewOfKind: Self.header,
        withReuseIdentifier: "header")
      collection.dataSource = self
      ListTracking(collection, tracker, ids: { [weak self] in self?.sections ?? [] })
      window.addSubview(collection)
      window.isHidden = false
    }

    private static let header = UICollectionView.elementKindSectionHeader

    /// The first section scrolls sideways.
    private static func layout() -> UICollectionViewLayout {
      UICollectionViewCompositionalLayout { index, _ in
        let size = NSCollectionLayoutSize(
          widthDimension: .absolute(100), heightDimension: .absolute(100))
        let group = NSCollectionLayoutGroup.horizontal(
          layoutSize: index == 0
            ? size
            : NSCollectionLayoutSize(
              widthDimension: .fractionalWidth(1), heightDimension: .absolute(100)),
          subitems: [NSCollectionLayoutItem(layoutSize: size)])
        let section = NSCollectionLayoutSection(group: group)
        if index == 0 { section.orthogonalScrollingBehavior = .continuous }
        section.boundarySupplementaryItems = [
          NSCollectionLayoutBoundarySupplementaryItem(
            layoutSize: NSCollectionLayoutSize(
              widthDimension: .fractionalWidth(1), heightDimension: .absolute(40)),
            elementKind: header, alignment: .top)
        ]
        return section
      }
    }

    func numberOfSections(in view: UICollectionView) -> Int { sections.count }

    func collectionView(
      _ view: UICollectionView, numberOfItemsInSection section: Int
    ) -> Int { sections[section].count }

    func collectionView(
      _ view: UICollectionView, cellForItemAt path: IndexPath
    ) -> UICollectionViewCell {
      let cell = view.dequeueReusableCell(withReuseIdentifier: "item", for: path)
      tracker.bind(cell, to: sections[path.section][path.item]) { cell, phase in
        cell.tag = phase.value ?? -1
      }
      return cell
    }

    /// Each header has a row of its own, which is in no section.
    func collectionView(
      _ view: UICollectionView, viewForSupplementaryElementOfKind kind: String, at path: IndexPath
    ) -> UICollectionReusableView {
      let header = view.dequeueReusableSupplementaryView(
        ofKind: kind, withReuseIdentifier: "header", for: path)
      tracker.bind(header, to: -1 - path.section) { $0.tag = $1.value ?? 0 }
      return header
    }

    /// Runs all steps.
    ///
    /// - Returns: The expectations that failed, in words.
    func run() async -> [String] {
      await step("first layout") {}
      await step("scroll") { self.collection.contentOffset.y = 700 }
      await step("back to the top") { self.collection.contentOffset.y = 0 }
      await step("scroll the first section to its end") {
        self.collection.scrollToItem(at: [0, 11], at: .right, animated: false)
      }
      await step("delete on screen") {
        self.sections[1].removeSubrange(0..<4)
        self.collection.deleteItems(at: (0..<4).map { [1, $0] })
      }
      await step("insert on screen") {
        self.sections[1].insert(190, at: 0)
        self.collection.insertItems(at: [[1, 0]])
      }
      await step("reload") {
        self.sections[2].reverse()
        self.collection.reloadData()
      }
      await step("fewer sections") {
        self.sections.removeLast(17)
        self.collection.reloadData()
      }
      return violations
    }

    private func step(_ name: String, _ change: () -> Void) async {
      UIView.performWithoutAnimation(change)
      CATransaction.flush()
      await withCheckedContinuation { continuation in
        DispatchQueue.main.async { continuation.resume() }
      }
      let items = collection.indexPathsForVisibleItems.map { sections[$0.section][$0.item] }
      let headers = collection.indexPathsForVisibleSupplementaryElements(ofKind: Self.header)
        .map { -1 - $0.section }
      let shown = Set(items + headers)
      if tracker.displayedRows != shown {
        violations.append(
          "\(name): on screen are \(shown.sorted()), displayed \(tracker.displayedRows.sorted())")
      }
    }
  }
#endif
