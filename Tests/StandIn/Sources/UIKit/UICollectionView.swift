@MainActor
public protocol UICollectionViewDataSource: AnyObject {
  func numberOfSections(in view: UICollectionView) -> Int
  func collectionView(_ view: UICollectionView, numberOfItemsInSection section: Int) -> Int
  func collectionView(
    _ view: UICollectionView, cellForItemAt path: IndexPath
  ) -> UICollectionViewCell
  func collectionView(
    _ view: UICollectionView, viewForSupplementaryElementOfKind kind: String, at path: IndexPath
  ) -> UICollectionReusableView
}

extension UICollectionViewDataSource {
  public func numberOfSections(in view: UICollectionView) -> Int { 1 }

  public func collectionView(
    _ view: UICollectionView, viewForSupplementaryElementOfKind kind: String, at path: IndexPath
  ) -> UICollectionReusableView { UICollectionReusableView(frame: .zero) }
}

/// Items in sections, some of which scroll by themselves in inner scroll views.
open class UICollectionView: _TiledView {
  public enum ScrollPosition: Sendable {
    case top
    case right
  }

  public nonisolated static let elementKindSectionHeader = "UICollectionElementKindSectionHeader"

  public weak var dataSource: (any UICollectionViewDataSource)? { didSet { reloadData() } }
  public let collectionViewLayout: UICollectionViewLayout
  private var classes: [String: UICollectionReusableView.Type] = [:]
  /// The scroll views of sections that scroll by themselves.
  package private(set) var innerScrolls: [Int: InnerScrollView] = [:]

  public init(frame: CGRect, collectionViewLayout: UICollectionViewLayout) {
    self.collectionViewLayout = collectionViewLayout
    super.init(frame: frame)
    collectionViewLayout.collection = self
  }

  public required init?(coder: NSCoder) { nil }

  /// The items of a section that scrolls by itself are subviews of such a view.
  package final class InnerScrollView: UIScrollView {
    override func boundsChanged(from old: CGRect) {
      super.boundsChanged(from: old)
      if bounds.origin != old.origin { superview?.setNeedsLayout() }
    }
  }

  public var numberOfSections: Int { counts.count }
  public func numberOfItems(inSection section: Int) -> Int { counts[section] }

  override func countItems() -> [Int] {
    guard let dataSource else { return [] }
    return (0..<dataSource.numberOfSections(in: self)).map {
      dataSource.collectionView(self, numberOfItemsInSection: $0)
    }
  }

  override func arrange() {
    collectionViewLayout.prepare(counts, bounds.size)
    contentSize = collectionViewLayout.frames.size
    for (section, view) in innerScrolls where inner(section) == nil {
      view.removeFromSuperview()
      innerScrolls[section] = nil
    }
  }

  override func boundsChanged(from old: CGRect) {
    super.boundsChanged(from: old)
    if bounds.size != old.size { arrange() }
  }

  private func inner(_ section: Int) -> (frame: CGRect, width: Double)? {
    let sections = collectionViewLayout.frames.sections
    return section < sections.count ? sections[section].inner : nil
  }

  override func container(of tile: Tile) -> UIView {
    guard let section = tile.innerSection, let inner = inner(section) else { return self }
    let view = innerScrolls[section] ?? InnerScrollView()
    innerScrolls[section] = view
    if view.superview == nil { addSubview(view) }
    if view.frame != inner.frame { view.frame = inner.frame }
    view.contentSize = CGSize(width: inner.width, height: inner.frame.height)
    return view
  }

  /// The frame of an item in the content of the whole view.
  func outerFrame(
    _ frame: CGRect, _ section: Int, _ frames: SectionFrames
  ) -> CGRect {
    guard let inner = frames.inner else { return frame }
    let offset = innerScrolls[section]?.contentOffset.x ?? 0
    let shift = MainLoop.variant.attributesFollowInnerScroll ? offset : 0
    return frame.offsetBy(dx: inner.frame.minX - shift, dy: inner.frame.minY)
  }

  override func tiles(in rect: CGRect) -> [Tile] {
    var tiles: [Tile] = []
    for (section, frames) in collectionViewLayout.frames.sections.enumerated() {
      if let header = frames.header, header.overlaps(rect) {
        let element = Element.supplementary(kind: Self.elementKindSectionHeader, section: section)
        tiles.append(Tile(element: element, frame: header))
      }
      // The part of the section's content that is on screen.
      var visible = rect
      if let inner = frames.inner {
        guard inner.frame.overlaps(rect) else { continue }
        let offset = innerScrolls[section]?.contentOffset.x ?? 0
        visible = inner.frame.intersection(rect)
          .offsetBy(dx: offset - inner.frame.minX, dy: -inner.frame.minY)
      }
      for (item, frame) in frames.items.enumerated() where frame.overlaps(visible) {
        let isInner = frames.inner != nil
        tiles.append(
          Tile(
            element: .cell([section, item]), frame: frame, innerSection: isInner ? section : nil))
      }
    }
    return tiles
  }

  public func register(
    _ type: UICollectionViewCell.Type, forCellWithReuseIdentifier name: String
  ) { classes[name] = type }

  public func register(
    _ type: UICollectionReusableView.Type, forSupplementaryViewOfKind kind: String,
    withReuseIdentifier name: String
  ) { classes[name] = type }

  public func dequeueReusableCell(
    withReuseIdentifier name: String, for path: IndexPath
  ) -> UICollectionViewCell {
    let view = dequeue(name) { (classes[name] ?? UICollectionViewCell.self).init(_reused: name) }
    return unsafeDowncast(view, to: UICollectionViewCell.self)
  }

  public func dequeueReusableSupplementaryView(
    ofKind kind: String, withReuseIdentifier name: String, for path: IndexPath
  ) -> UICollectionReusableView {
    let view = dequeue(name) {
      (classes[name] ?? UICollectionReusableView.self).init(_reused: name)
    }
    return unsafeDowncast(view, to: UICollectionReusableView.self)
  }

  override func makeView(for element: Element) -> UIView? {
    switch element {
    case .cell(let path):
      if let path = modelPath(path) {
        dataSource?.collectionView(self, cellForItemAt: path)
      } else {
        UICollectionViewCell(frame: .zero)
      }
    case .supplementary(let kind, let section):
      dataSource?.collectionView(
        self, viewForSupplementaryElementOfKind: kind, at: [section, 0])
    }
  }

  /// In no order, as the documentation says.
  public var indexPathsForVisibleItems: [IndexPath] {
    window == nil ? [] : visiblePaths().shuffled(using: &MainLoop.random)
  }

  public func cellForItem(at path: IndexPath) -> UICollectionViewCell? {
    visibleCell(at: path) as? UICollectionViewCell
  }

  public var visibleCells: [UICollectionViewCell] {
    indexPathsForVisibleItems.compactMap(cellForItem)
  }

  public func indexPathsForVisibleSupplementaryElements(ofKind kind: String) -> [IndexPath] {
    shown.keys.compactMap { element in
      guard case .supplementary(kind, let section) = element else { return nil }
      return [section, 0]
    }
  }

  public func insertItems(at paths: [IndexPath]) { insert(paths) }
  public func deleteItems(at paths: [IndexPath]) { delete(paths) }

  public func scrollToItem(at path: IndexPath, at position: ScrollPosition, animated: Bool) {
    layoutIfNeeded()
    let frames = collectionViewLayout.frames.sections[path[0]]
    let frame = frames.items[path[1]]
    if frames.inner != nil, let view = innerScrolls[path[0]] {
      view.scroll(to: CGPoint(x: frame.maxX - view.bounds.width, y: 0), animated: animated)
    } else {
      scroll(to: CGPoint(x: contentOffset.x, y: frame.minY), animated: animated)
    }
  }
}
