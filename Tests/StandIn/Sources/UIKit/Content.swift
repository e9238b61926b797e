open class UILabel: UIView {
  public var text: String?
}

open class UIImageView: UIView {
  public var image: UIImage?
}

public struct UIColor: Hashable, Sendable {
  public static let systemGray = UIColor()
}

/// The data of a picture, which is never decoded.
public final class UIImage: NSObject, Sendable {
  package let data: Data

  public init?(data: Data) {
    guard !data.isEmpty else { return nil }
    self.data = data
  }

  public var size: CGSize { CGSize(width: 1, height: 1) }
  public var scale: Double { 1 }
  public var images: [UIImage]? { nil }
  public var cgImage: _Bitmap? { nil }

  public func byPreparingForDisplay() async -> UIImage? { self }
}

/// Stands in for `CGImage`, which no picture has here.
public struct _Bitmap: Sendable {
  package let memoryCost: Int
}

/// The texts of a cell, from which it gets its height.
public struct UIListContentConfiguration {
  public var text: String?
  public var secondaryText: String?
  public var image: UIImage?

  public static func subtitleCell() -> UIListContentConfiguration { UIListContentConfiguration() }

  public var _lines: Int { 1 + (secondaryText == nil ? 0 : 1) + (image == nil ? 0 : 2) }
}
