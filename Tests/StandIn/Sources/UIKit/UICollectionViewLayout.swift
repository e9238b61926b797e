@MainActor
open class UICollectionViewLayout: NSObject {
  weak var collection: UICollectionView?
  var frames = CollectionFrames()

  func prepare(_ counts: [Int], _ size: CGSize) {}

  public func layoutAttributesForElements(in rect: CGRect) -> [UICollectionViewLayoutAttributes]? {
    var all: [UICollectionViewLayoutAttributes] = []
    for (section, frames) in frames.sections.enumerated() {
      for (item, frame) in frames.items.enumerated() {
        let frame = collection?.outerFrame(frame, section, frames) ?? frame
        if frame.overlaps(rect) {
          all.append(UICollectionViewLayoutAttributes(.cell, [section, item], frame))
        }
      }
      if let header = frames.header, header.overlaps(rect) {
        all.append(UICollectionViewLayoutAttributes(._supplementaryView, [section, 0], header))
      }
    }
    // UIKit promises no order.
    return all.shuffled(using: &MainLoop.random)
  }
}

@MainActor
public final class UICollectionViewLayoutAttributes: NSObject {
  public enum ElementCategory: Sendable {
    case cell
    case _supplementaryView
  }

  public let representedElementCategory: ElementCategory
  public let indexPath: IndexPath
  public let frame: CGRect

  fileprivate init(_ category: ElementCategory, _ path: IndexPath, _ frame: CGRect) {
    (representedElementCategory, indexPath, self.frame) = (category, path, frame)
  }
}

/// Items of one size in lines, across the direction of scrolling.
public final class UICollectionViewFlowLayout: UICollectionViewLayout {
  public enum ScrollDirection: Sendable {
    case vertical
    case horizontal
  }

  public var scrollDirection = ScrollDirection.vertical
  public var itemSize = CGSize(width: 50, height: 50)

  override func prepare(_ counts: [Int], _ size: CGSize) {
    frames = CollectionFrames(
      lines: itemSize, isVertical: scrollDirection == .vertical, counts: counts, in: size)
  }
}

/// Sections of groups, some of which scroll by themselves.
public final class UICollectionViewCompositionalLayout: UICollectionViewLayout {
  private let provider: (Int, Void) -> NSCollectionLayoutSection?

  public init(sectionProvider: @escaping (Int, Void) -> NSCollectionLayoutSection?) {
    provider = sectionProvider
  }

  override func prepare(_ counts: [Int], _ size: CGSize) {
    frames = CollectionFrames(counts: counts, in: size) { provider($0, ()) }
  }
}
