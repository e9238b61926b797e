#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  import AppKit
  import RowOperations

  /// A real `NSCollectionView` in a window: a section that scrolls sideways, and a grid.
  @MainActor
  final class MacCollectionTrial: NSObject, NSCollectionViewDataSource {
    private var sections = [Array(0..<40), Array(100..<103), Array(200..<260)]
    private let tracker = DisplayTracker<Int, Int> { $0.row }
    private let collection = NSCollectionView(
      frame: NSRect(x: 0, y: 0, width: 320, height: 600))
    private let scroll = NSScrollView(frame: NSRect(x: 0, y: 0, width: 320, height: 600))
    private let window = NSWindow(
      contentRect: NSRect(x: 0, y: 0, width: 320, height: 600), styleMask: [.titled],
      backing: .buffered, defer: false)
    private var violations: [String] = []

    override init() {
      super.init()
      collection.collectionViewLayout = NSCollectionViewCompositionalLayout { index, _ in
        Self.section(isOrthogonal: index == 0)
      }
      collection.register(TrialItem.self, forItemWithIdentifier: .init("item"))
      collection.dataSource = self
      scroll.documentView = collection
      window.contentView = scroll
      ListTracking(collection, tracker, ids: { [weak self] in self?.sections ?? [] })
      window.orderFront(nil)
    }

    private static func section(isOrthogonal: Bool) -> NSCollectionLayoutSection {
      let item = NSCollectionLayoutSize(
        widthDimension: .absolute(100), heightDimension: .absolute(100))
      let line = NSCollectionLayoutSize(
        widthDimension: .fractionalWidth(1), heightDimension: .absolute(100))
      let group = NSCollectionLayoutGroup.horizontal(
        layoutSize: isOrthogonal ? item : line, subitems: [NSCollectionLayoutItem(layoutSize: item)]
      )
      let section = NSCollectionLayoutSection(group: group)
      if isOrthogonal { section.orthogonalScrollingBehavior = .continuous }
      return section
    }

    func numberOfSections(in view: NSCollectionView) -> Int { sections.count }

    func collectionView(_ view: NSCollectionView, numberOfItemsInSection section: Int) -> Int {
      sections[section].count
    }

    func collectionView(
      _ view: NSCollectionView, itemForRepresentedObjectAt path: IndexPath
    ) -> NSCollectionViewItem {
      let item = view.makeItem(withIdentifier: .init("item"), for: path)
      tracker.bind(item, to: sections[path.section][path.item]) {
        $0.title = $1.value.map(String.init)
      }
      return item
    }

    /// Runs all steps.
    ///
    /// - Returns: The expectations that failed, in words.
    func run() async -> [String] {
      await step("first layout") {}
      await step("scroll the first section") {
        let item = collection.item(at: [0, 0])
        guard let clip = item?.view.enclosingScrollView?.contentView else { return }
        clip.bounds.origin.x = 550
      }
      await step("delete in a line") {
        sections[1].removeFirst()
        collection.deleteItems(at: [[1, 0]])
      }
      await step("scroll") { scroll.contentView.bounds.origin.y = 700 }
      await step("reload") {
        sections[2] = Array(300..<310)
        collection.reloadData()
        scroll.contentView.bounds.origin.y = 0
      }
      return violations
    }

    private func step(_ name: String, _ change: () -> Void) async {
      change()
      window.layoutIfNeeded()
      try? await Task.sleep(nanoseconds: 50_000_000)
      window.layoutIfNeeded()
      await withCheckedContinuation { continuation in
        DispatchQueue.main.async { continuation.resume() }
      }
      var shown: Set<Int> = []
      for item in collection.visibleItems() where item.view.isInsideClips {
        if let path = collection.indexPath(for: item) {
          shown.insert(sections[path.section][path.item])
        }
      }
      if tracker.displayedRows != shown {
        violations.append(
          "\(name): on screen are \(shown.sorted()), displayed \(tracker.displayedRows.sorted())")
      }
    }
  }

  extension NSView {
    /// Whether a part of the frame is inside all clip views around the view.
    var isInsideClips: Bool {
      var (view, frame) = (self, frame)
      while let next = view.superview {
        if next is NSClipView {
          frame = frame.intersection(next.bounds)
          if frame.isEmpty { return false }
        }
        frame = frame.offsetBy(
          dx: next.frame.minX - next.bounds.minX, dy: next.frame.minY - next.bounds.minY)
        view = next
      }
      return true
    }
  }

  private final class TrialItem: NSCollectionViewItem {
    override func loadView() { view = NSView(frame: NSRect(x: 0, y: 0, width: 100, height: 100)) }
  }
#endif
