/// A view with an offset, which a finger drags and flings frame by frame.
open class UIScrollView: UIView {
  public struct DecelerationRate: RawRepresentable, Hashable, Sendable {
    public let rawValue: Double
    public init(rawValue: Double) { self.rawValue = rawValue }
  }

  enum Motion {
    case resting
    case dragged
    /// From an offset, with a velocity in points per millisecond, for a number of milliseconds.
    case decelerating(from: CGPoint, velocity: CGPoint, to: CGPoint, elapsed: Double)
    /// An animated scroll.
    case animated(from: CGPoint, to: CGPoint, elapsed: Double)
  }

  public var decelerationRate = DecelerationRate(rawValue: 0.998)
  public var isPagingEnabled = false
  public private(set) lazy var panGestureRecognizer = UIPanGestureRecognizer()
  /// The insets around the content.
  public package(set) var adjustedContentInset = UIEdgeInsets()
  private(set) var motion = Motion.resting
  private var framesOfLateDrag = 0

  /// It clips from the start, as other views do not (UIScrollView.h).
  public override init(frame: CGRect) {
    super.init(frame: frame)
    clipsToBounds = true
  }

  public required init?(coder: NSCoder) { nil }

  public var contentSize = CGSize.zero {
    didSet { if contentSize != oldValue { didChange(\UIScrollView.contentSize) } }
  }

  public var contentOffset: CGPoint {
    get { bounds.origin }
    set { bounds.origin = newValue }
  }

  public var isDragging: Bool {
    if case .dragged = motion { return true }
    return framesOfLateDrag > 0
  }

  public var isDecelerating: Bool {
    guard case .decelerating = motion else { return false }
    return framesOfLateDrag == 0
  }

  package var isMoving: Bool {
    if case .resting = motion { return false }
    return true
  }

  /// A scroll view is laid out at each change of its offset.
  override func boundsChanged(from old: CGRect) {
    super.boundsChanged(from: old)
    let isScrolled = bounds.origin != old.origin
    if isScrolled, MainLoop.variant.notifiesFirst { didChange(\UIScrollView.contentOffset) }
    setNeedsLayout()
    if isScrolled, !MainLoop.variant.notifiesFirst { didChange(\UIScrollView.contentOffset) }
  }

  package func beginDrag() {
    framesOfLateDrag = 0
    move(.dragged)
    panGestureRecognizer.change(to: .began)
  }

  package func drag(by distance: CGPoint) {
    contentOffset.x += distance.x
    contentOffset.y += distance.y
  }

  /// Lifts the finger.
  ///
  /// - Parameter velocity: Of the offset, in points per millisecond.
  package func endDrag(velocity: CGPoint) {
    let target = restingOffset(after: velocity)
    let gesture = panGestureRecognizer
    gesture.velocity = CGPoint(x: -velocity.x * 1000, y: -velocity.y * 1000)
    if !MainLoop.variant.endsDragFirst { gesture.change(to: .ended) }
    framesOfLateDrag = MainLoop.variant.framesOfLateDrag
    move(
      target == contentOffset
        ? .resting
        : .decelerating(from: contentOffset, velocity: velocity, to: target, elapsed: 0))
    if MainLoop.variant.endsDragFirst { gesture.change(to: .ended) }
  }

  /// A finger stops the list, and UIKit reports no end.
  package func catchIt() { move(.resting) }

  /// Scrolls to an offset, at once or in an animation of 0.3 seconds.
  package func scroll(to target: CGPoint, animated: Bool) {
    let target = clamped(target)
    guard animated, target != contentOffset else { return contentOffset = target }
    move(.animated(from: contentOffset, to: target, elapsed: 0))
  }

  private func move(_ new: Motion) {
    motion = new
    MainLoop.moving[ObjectIdentifier(self)] = isMoving ? { [weak self] in self?.frame($0) } : nil
  }

  private func frame(_ milliseconds: Double) {
    if framesOfLateDrag > 0 { framesOfLateDrag -= 1 }
    switch motion {
    case .resting, .dragged: break
    case .decelerating(let start, let velocity, let target, let elapsed):
      let now = elapsed + milliseconds
      let (rate, part) = (decelerationRate.rawValue, pow(decelerationRate.rawValue, now))
      // The integral of v·d^t, with t in milliseconds.
      let way = CGPoint(
        x: velocity.x * rate / (1 - rate) * (1 - part),
        y: velocity.y * rate / (1 - rate) * (1 - part))
      let isOver = hypot(velocity.x, velocity.y) * part <= 0.01 || isPagingEnabled && now > 300
      move(
        isOver ? .resting : .decelerating(from: start, velocity: velocity, to: target, elapsed: now)
      )
      let next = CGPoint(x: start.x + way.x, y: start.y + way.y)
      contentOffset = isOver ? target : MainLoop.variant.bounces ? bounced(next) : clamped(next)
    case .animated(let start, let target, let elapsed):
      let now = elapsed + milliseconds
      let part = min(now / 300, 1)
      move(part < 1 ? .animated(from: start, to: target, elapsed: now) : .resting)
      contentOffset = CGPoint(
        x: start.x + (target.x - start.x) * part, y: start.y + (target.y - start.y) * part)
    }
  }

  private func restingOffset(after velocity: CGPoint) -> CGPoint {
    func rest(_ offset: Double, _ velocity: Double, _ page: Double) -> Double {
      let rate = decelerationRate.rawValue
      guard isPagingEnabled, page > 0 else {
        // Until the speed is a hundredth of a point per millisecond.
        let speed = max(abs(velocity) - 0.01, 0)
        return offset + (velocity < 0 ? -speed : speed) * rate / (1 - rate)
      }
      let pages = offset / page
      return page * (velocity == 0 ? pages.rounded() : pages.rounded(velocity > 0 ? .up : .down))
    }
    return clamped(
      CGPoint(
        x: rest(contentOffset.x, velocity.x, bounds.width),
        y: rest(contentOffset.y, velocity.y, bounds.height)))
  }

  package func clamped(_ offset: CGPoint) -> CGPoint {
    let inset = adjustedContentInset
    func clamp(_ value: Double, _ before: Double, _ end: Double) -> Double {
      min(max(value, -before), max(end, -before))
    }
    return CGPoint(
      x: clamp(offset.x, inset.left, contentSize.width + inset.right - bounds.width),
      y: clamp(offset.y, inset.top, contentSize.height + inset.bottom - bounds.height))
  }

  /// Beyond its ends the content follows a third of the way.
  private func bounced(_ offset: CGPoint) -> CGPoint {
    let inside = clamped(offset)
    return CGPoint(
      x: inside.x + (offset.x - inside.x) / 3, y: inside.y + (offset.y - inside.y) / 3)
  }
}

public struct UIEdgeInsets: Hashable, Sendable {
  public package(set) var (top, left, bottom, right) = (0.0, 0.0, 0.0, 0.0)

  package init() {}
}

@MainActor
public final class UIPanGestureRecognizer: NSObject {
  public enum State: Sendable {
    case began
    case ended
    case cancelled
    case _other
  }

  public private(set) var state = State.ended
  var velocity = CGPoint.zero
  private(set) var targets: [(object: AnyObject, action: () -> Void)] = []

  /// In points per second.
  public func velocity(in view: UIView?) -> CGPoint { velocity }

  public func addTarget(_ target: AnyObject, action: @escaping () -> Void) {
    targets.append((target, action))
  }

  public func removeTarget(_ target: AnyObject, action: (() -> Void)?) {
    targets.removeAll { $0.object === target }
  }

  func change(to new: State) {
    state = new
    for target in targets { target.action() }
  }
}
