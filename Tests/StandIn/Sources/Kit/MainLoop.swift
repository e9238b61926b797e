/// The main run loop and Core Animation's commits, in virtual time.
///
/// A turn calls the observers that wait for the end of a turn, by their orders, and then commits:
/// Core Animation observes `beforeWaiting` with the order 2,000,000.
@MainActor
package enum MainLoop {
  /// The order in which UIKit does what it leaves open.
  package static var variant = Variant()
  /// The source of all chances of a variant.
  package static var random = Dice(seed: 0)
  /// Whether a test turns the loop; otherwise it turns by itself, as long as there are windows.
  package static var isManual = false
  private static var isRunning = false
  /// In seconds.
  package private(set) static var time = 0.0
  /// Called when the time passes, with milliseconds.
  package static var timePassed: ((Int) -> Void)?
  /// The number of commits that laid a view out.
  package private(set) static var commits = 0
  /// The motions, such as decelerations, which receive the milliseconds of a frame.
  package static var moving: [ObjectIdentifier: (Double) -> Void] = [:]
  private static var known: [() -> _LayoutTree?] = []
  private static var later: [(time: Double, work: () -> Void)] = []

  package static func add(_ window: _LayoutTree) {
    known.removeAll { $0() == nil }
    known.append { [weak window] in window }
    run()
  }
  static var observers: [CFRunLoopObserver] = []

  /// Begins a test: no window, no motion, and a variant drawn by seed.
  package static func start(_ new: Variant, seed: UInt64) {
    (variant, random, moving) = (new, Dice(seed: seed), [:])
    (timePassed, isManual, later) = (nil, true, [])
    observers.removeAll { !$0.isValid }
  }

  private static func run() {
    guard !isManual, !isRunning else { return }
    isRunning = true
    Task {
      while known.contains(where: { $0() != nil }), !isManual {
        turn(isWhole: true)
        try? await Task.sleep(nanoseconds: 5_000_000)
      }
      isRunning = false
    }
  }

  /// - Parameter isWhole: Whether the run loop reaches its end, and does not only commit.
  package static func turn(isWhole: Bool = false) {
    // In the other turns the app calls `CATransaction.flush()`, or UIKit commits by itself.
    let calls = isWhole || !random.chance(variant.commitsWithoutObservers)
    let ordered = calls ? observers : []
    for observer in ordered where observer.isValid && observer.order < 2_000_000 { observer.call() }
    commit()
    for observer in ordered where observer.isValid && observer.order > 2_000_000 { observer.call() }
  }

  /// Lets a frame pass: motions go on, and the views are laid out.
  package static func frame(milliseconds: Int = 16) {
    time += Double(milliseconds) / 1000
    timePassed?(milliseconds)
    for motion in moving.values { motion(Double(milliseconds)) }
    let due = later.filter { $0.time <= time }
    later.removeAll { $0.time <= time }
    for end in due { end.work() }
    turn()
  }

  /// Does something when the time of an animation has passed.
  package static func after(_ seconds: Double, _ work: @escaping () -> Void) {
    later.append((time + seconds, work))
  }

  static func commit() {
    var windows = known.compactMap { $0() }.filter(\._isOnDisplay)
    if variant.laysOutBackwards { windows.reverse() }
    var didLayOut = false
    // Core Animation repeats until no view is marked.
    while let window = windows.first(where: \.needsLayoutBelow) {
      didLayOut = true
      window.layOutTree()
    }
    guard didLayOut else { return }
    commits += 1
    for window in windows where random.chance(variant.extraPasses) { window.layOutOnceMore() }
  }
}
