open class UITableViewCell: UIView {
  public enum CellStyle: Sendable {
    case `default`
  }

  public let contentView = UIView()
  public private(set) lazy var textLabel: UILabel? = {
    let label = UILabel()
    contentView.addSubview(label)
    return label
  }()
  /// Another content changes the height (`selfSizingInvalidation`).
  public var contentConfiguration: UIListContentConfiguration? {
    didSet { (superview as? UITableView)?.contentChanged(of: self) }
  }

  public init(style: CellStyle, reuseIdentifier: String?) {
    super.init(frame: .zero)
    reuseName = reuseIdentifier
    fill(self, with: contentView)
  }

  public required init?(coder: NSCoder) { nil }

  /// For registered classes, which UIKit makes by name.
  public required convenience init(_reused name: String) {
    self.init(style: .default, reuseIdentifier: name)
  }

  /// The height that fits the content.
  var fittingHeight: Double { 24 + 20 * Double(contentConfiguration?._lines ?? 1) }
}

open class UITableViewHeaderFooterView: UIView {
  public let contentView = UIView()

  public init(reuseIdentifier: String?) {
    super.init(frame: .zero)
    reuseName = reuseIdentifier
    fill(self, with: contentView)
  }

  public required init?(coder: NSCoder) { nil }
}

open class UICollectionReusableView: UIView {
  public override init(frame: CGRect) { super.init(frame: frame) }

  public required init?(coder: NSCoder) { nil }

  public required convenience init(_reused name: String) { self.init(frame: .zero) }
}

open class UICollectionViewCell: UICollectionReusableView {
  public private(set) lazy var contentView: UIView = {
    let view = UIView()
    fill(self, with: view)
    return view
  }()
}

@MainActor
private func fill(_ view: UIView, with content: UIView) {
  content.frame = view.bounds
  content.autoresizingMask = [.flexibleWidth, .flexibleHeight]
  view.addSubview(content)
}
