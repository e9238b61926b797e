@MainActor
public protocol NSCollectionViewDataSource: AnyObject {
  func numberOfSections(in view: NSCollectionView) -> Int
  func collectionView(_ view: NSCollectionView, numberOfItemsInSection section: Int) -> Int
  func collectionView(
    _ view: NSCollectionView, itemForRepresentedObjectAt path: IndexPath
  ) -> NSCollectionViewItem
}

@MainActor
open class NSCollectionViewItem: NSObject {
  public var title: String?
  private var loaded: NSView?
  public var view: NSView {
    get {
      if loaded == nil { loadView() }
      return loaded ?? NSView()
    }
    set { loaded = newValue }
  }

  public required override init() { super.init() }
  open func loadView() {}
}

@MainActor
public final class NSCollectionViewCompositionalLayout: NSObject {
  let section: (Int, Void) -> NSCollectionLayoutSection?

  public init(sectionProvider: @escaping (Int, Void) -> NSCollectionLayoutSection?) {
    section = sectionProvider
  }
}

/// Items in sections; those of a section that scrolls by itself are in an inner scroll view.
public final class NSCollectionView: NSView {
  public weak var dataSource: (any NSCollectionViewDataSource)? { didSet { reloadData() } }
  public var collectionViewLayout: NSCollectionViewCompositionalLayout?
  private var classes: [NSUserInterfaceItemIdentifier: NSCollectionViewItem.Type] = [:]
  private var items: [IndexPath: NSCollectionViewItem] = [:]
  private var counts: [Int] = []
  private var frames = CollectionFrames()
  private var inner: [Int: NSScrollView] = [:]
  private var pool: [NSCollectionViewItem] = []
  private var needsReload = true

  public var numberOfSections: Int { counts.count }
  public func numberOfItems(inSection section: Int) -> Int { counts[section] }

  public func register(
    _ type: NSCollectionViewItem.Type, forItemWithIdentifier name: NSUserInterfaceItemIdentifier
  ) { classes[name] = type }

  public func makeItem(
    withIdentifier name: NSUserInterfaceItemIdentifier, for path: IndexPath
  ) -> NSCollectionViewItem {
    pool.popLast() ?? (classes[name] ?? NSCollectionViewItem.self).init()
  }

  private func putIntoPool(_ item: NSCollectionViewItem) {
    item.view.removeFromSuperview()
    pool.append(item)
  }

  public func item(at path: IndexPath) -> NSCollectionViewItem? { items[path] }
  public func indexPath(for item: NSCollectionViewItem) -> IndexPath? {
    items.first { $0.value === item }?.key
  }
  public func visibleItems() -> [NSCollectionViewItem] {
    items.values.shuffled(using: &MainLoop.random)
  }

  public func reloadData() {
    needsReload = true
    needsLayout = true
  }

  public func deleteItems(at paths: Set<IndexPath>) {
    var moved: [IndexPath: NSCollectionViewItem] = [:]
    for (path, item) in items {
      if paths.contains(path) {
        let time = MainLoop.variant.deletedCellsStay ? 0.25 : 0
        MainLoop.after(time) { [weak self] in self?.putIntoPool(item) }
      } else {
        let before = paths.count { $0.section == path.section && $0.item < path.item }
        moved[[path.section, path.item - before]] = item
      }
    }
    for path in paths { counts[path.section] -= 1 }
    items = moved
    needsLayout = true
  }

  public override func layout() {
    super.layout()
    if needsReload {
      needsReload = false
      counts = (0..<(dataSource?.numberOfSections(in: self) ?? 0)).map {
        dataSource?.collectionView(self, numberOfItemsInSection: $0) ?? 0
      }
      items.values.forEach(putIntoPool)
      items = [:]
    }
    let width = Double(superview?.frame.width ?? 0)
    frames = CollectionFrames(counts: counts, in: CGSize(width: width, height: 0)) {
      collectionViewLayout?.section($0, ())
    }
    frame.size = CGSize(width: width, height: frames.size.height)
    guard MainLoop.variant.emptiesHiddenLists || !isHiddenOrHasHiddenAncestor else { return }
    for (section, all) in frames.sections.enumerated() { place(section, all) }
  }

  override func visibleRectChanged() { needsLayout = true }

  private func place(_ section: Int, _ all: SectionFrames) {
    let document = all.inner.map { innerDocument(of: section, $0.frame, $0.width) } ?? self
    for (number, frame) in all.items.enumerated() {
      let path: IndexPath = [section, number]
      // Items are prepared beyond the visible rectangle.
      let margin = -100 * CGFloat(MainLoop.variant.preparedAhead)
      guard frame.overlaps(document.visibleRect.insetBy(dx: margin, dy: margin)) else {
        if let item = items.removeValue(forKey: path) { putIntoPool(item) }
        continue
      }
      let item =
        items[path] ?? dataSource?.collectionView(self, itemForRepresentedObjectAt: path)
      guard let item else { continue }
      items[path] = item
      if item.view.superview !== document { document.addSubview(item.view) }
      item.view.frame = frame
    }
  }

  private func innerDocument(of section: Int, _ frame: CGRect, _ width: Double) -> NSView {
    if let known = inner[section]?.documentView { return known }
    let scroll = NSScrollView(frame: frame)
    let document = InnerDocument(frame: CGRect(x: 0, y: 0, width: width, height: frame.height))
    scroll.documentView = document
    inner[section] = scroll
    addSubview(scroll)
    return document
  }

  /// It is laid out when its section scrolls, and lets the collection show other items.
  private final class InnerDocument: NSView {
    override func layout() {
      super.layout()
      enclosingScrollView?.superview?.needsLayout = true
    }
  }
}

extension IndexPath {
  public var section: Int { self[0] }
  public var item: Int { self[1] }
}
