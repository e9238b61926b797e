#if canImport(UIKit)
  import RowOperationsTesting
  import UIKit

  @testable import RowOperations

  /// A window of 320 by 600 points in a scene, and a clock that runs with the main loop.
  @MainActor
  final class Phone {
    let clock = ManualClock()
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 600))

    init(_ variant: Variant = Variant(), seed: UInt64 = 0) {
      MainLoop.start(variant, seed: seed)
      MainLoop.timePassed = { [clock] in clock.advance(by: .milliseconds($0)) }
      window.windowScene = UIApplication.shared.connectScene()
      window.isHidden = false
    }

    deinit {
      let window = window
      DispatchQueue.main.async {
        if let scene = window.windowScene { UIApplication.shared.disconnect(scene) }
        MainLoop.isManual = false
      }
    }

    /// A turn of the main run loop, and the turns of the main queue that follow.
    func turn() async {
      MainLoop.turn(isWhole: true)
      await Self.mainQueue()
    }

    func turns(_ count: Int = 4) async { for _ in 0..<count { await turn() } }

    /// Lets time pass in frames.
    func wait(frames: Int = 30, of milliseconds: Int = 16) async {
      for _ in 0..<frames {
        MainLoop.frame(milliseconds: milliseconds)
        await Self.mainQueue()
      }
    }

    /// Lets the main queue run until a condition holds, or gives up.
    ///
    /// - Parameter isTimePassing: Whether frames pass meanwhile.
    /// - Returns: Whether the condition holds.
    static func waits(isTimePassing: Bool = false, until holds: () -> Bool) async -> Bool {
      // Many times what a busy machine needs.
      for attempt in 1...40_000 {
        if holds() { return true }
        if isTimePassing, attempt % 4 == 0 {
          MainLoop.frame(milliseconds: 100)
          MainLoop.turn(isWhole: true)
        }
        await mainQueue()
      }
      return false
    }

    static func mainQueue() async {
      for _ in 0..<2 {
        await withCheckedContinuation { continuation in
          DispatchQueue.main.async { continuation.resume() }
        }
      }
    }

    /// A tracker that loads at once, on the phone's clock.
    func tracker(
      _ configure: (inout TrackerConfiguration<Int, Int>) -> Void = { _ in }
    ) -> DisplayTracker<Int, Int> {
      DisplayTracker(configuration: configuration(configure)) { $0.row }
    }

    func configuration(
      _ configure: (inout TrackerConfiguration<Int, Int>) -> Void = { _ in }
    ) -> TrackerConfiguration<Int, Int> {
      var configuration = TrackerConfiguration<Int, Int>()
      configuration.clock = clock
      configure(&configuration)
      return configuration
    }

    /// A list that fills the window.
    func list(
      _ kind: ListKind = .table, _ tracker: DisplayTracker<Int, Int>, rows: Range<Int> = 0..<100
    ) -> RandomList {
      let list = RandomList(kind, tracker, sections: 1, rows: rows.count)
      list.model = [Array(rows)]
      window.addSubview(list.frame)
      return list
    }
  }
#endif
