/// The frames of a section; one that scrolls by itself has frames in its own content.
package struct SectionFrames {
  package var items: [CGRect] = []
  package var header: CGRect?
  /// The frame of the inner scroll view, and the width of its content.
  package var inner: (frame: CGRect, width: Double)?
}

package struct CollectionFrames {
  package var sections: [SectionFrames] = []
  package var size = CGSize.zero

  package init() {}

  /// Items of one size in lines, across the direction of scrolling.
  package init(lines item: CGSize, isVertical: Bool, counts: [Int], in size: CGSize) {
    let (across, along) = isVertical ? (item.width, item.height) : (item.height, item.width)
    let columns = max(Int((isVertical ? size.width : size.height) / across), 1)
    var position = 0.0
    sections = counts.map { count in
      defer { position += Double((count + columns - 1) / columns) * along }
      return SectionFrames(
        items: (0..<count).map { number in
          let line = position + Double(number / columns) * along
          let column = Double(number % columns) * across
          let origin = isVertical ? CGPoint(x: column, y: line) : CGPoint(x: line, y: column)
          return CGRect(origin: origin, size: item)
        })
    }
    self.size = CGSize(
      width: isVertical ? size.width : position, height: isVertical ? position : size.height)
  }

  package init(counts: [Int], in size: CGSize, section: (Int) -> NSCollectionLayoutSection?) {
    var y = 0.0
    sections = counts.enumerated().map { index, count in
      guard let section = section(index) else { return SectionFrames() }
      var frames = SectionFrames()
      for header in section.boundarySupplementaryItems {
        let extent = header.size.resolved(in: size)
        frames.header = CGRect(x: 0, y: y, width: extent.width, height: extent.height)
        y += extent.height
      }
      let isInner = section.orthogonalScrollingBehavior != .none
      let group = section.group.size.resolved(in: size)
      let item = section.group.item.size.resolved(in: group)
      let columns = max(Int(group.width / item.width), 1)
      frames.items = (0..<count).map { number in
        let (line, column) = (Double(number / columns), Double(number % columns) * item.width)
        let origin =
          isInner
          ? CGPoint(x: line * group.width + column, y: 0)
          : CGPoint(x: column, y: y + line * group.height)
        return CGRect(origin: origin, size: item)
      }
      let lines = Double((count + columns - 1) / columns)
      if isInner {
        let frame = CGRect(x: 0, y: y, width: size.width, height: group.height)
        frames.inner = (frame, lines * group.width)
      }
      y += isInner ? group.height : lines * group.height
      return frames
    }
    self.size = CGSize(width: size.width, height: y)
  }
}

extension CGRect {
  /// Whether the rectangles share more than an edge, which `intersects` leaves open.
  package func overlaps(_ other: CGRect) -> Bool {
    minX < other.maxX && other.minX < maxX && minY < other.maxY && other.minY < maxY
  }
}

public struct NSCollectionLayoutDimension: Sendable {
  let resolve: @Sendable (_ whole: Double) -> Double

  public static func absolute(_ points: Double) -> Self { Self { _ in points } }
  public static func fractionalWidth(_ part: Double) -> Self { Self { $0 * part } }
}

public final class NSCollectionLayoutSize: NSObject {
  private let (width, height): (NSCollectionLayoutDimension, NSCollectionLayoutDimension)

  public init(
    widthDimension: NSCollectionLayoutDimension, heightDimension: NSCollectionLayoutDimension
  ) { (width, height) = (widthDimension, heightDimension) }

  func resolved(in size: CGSize) -> CGSize {
    CGSize(width: width.resolve(size.width), height: height.resolve(size.width))
  }
}

public final class NSCollectionLayoutItem: NSObject {
  let size: NSCollectionLayoutSize
  public init(layoutSize: NSCollectionLayoutSize) { size = layoutSize }
}

public final class NSCollectionLayoutGroup: NSObject {
  let size: NSCollectionLayoutSize
  let item: NSCollectionLayoutItem

  private init(_ size: NSCollectionLayoutSize, _ item: NSCollectionLayoutItem) {
    (self.size, self.item) = (size, item)
  }

  public static func horizontal(
    layoutSize: NSCollectionLayoutSize, subitems: [NSCollectionLayoutItem]
  ) -> NSCollectionLayoutGroup { NSCollectionLayoutGroup(layoutSize, subitems[0]) }
}

public final class NSCollectionLayoutBoundarySupplementaryItem: NSObject {
  public enum Alignment: Sendable {
    case top
  }

  let size: NSCollectionLayoutSize

  public init(layoutSize: NSCollectionLayoutSize, elementKind: String, alignment: Alignment) {
    size = layoutSize
  }
}

public final class NSCollectionLayoutSection: NSObject {
  public enum OrthogonalScrollingBehavior: Sendable {
    case none
    case continuous
  }

  let group: NSCollectionLayoutGroup
  public var orthogonalScrollingBehavior = OrthogonalScrollingBehavior.none
  public var boundarySupplementaryItems: [NSCollectionLayoutBoundarySupplementaryItem] = []

  public init(group: NSCollectionLayoutGroup) { self.group = group }
}
