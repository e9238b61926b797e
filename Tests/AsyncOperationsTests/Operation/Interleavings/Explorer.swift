@testable import AsyncOperations
@testable import TestSupport

/// Explores all orders of the threads' steps, and visits each state of the world once.
struct Explorer {
  let setting: Setting
  private(set) var violations: Set<String> = []
  private(set) var stateCount = 0

  init(_ threads: [Step], in setting: Setting) {
    self.setting = setting
    var seen: Set<World> = []
    var open = [World(threads: threads)]
    while let world = open.popLast() {
      let runnable = world.runnable
      if runnable.isEmpty, let violation = world.violationAtRest(in: setting) {
        violations.insert(violation)
      }
      for thread in runnable {
        var next = world
        if let violation = next.advance(thread, in: setting) { violations.insert(violation) }
        if seen.insert(next).inserted { open.append(next) }
      }
    }
    stateCount = seen.count
  }

  /// All selections of `count` threads that start, cancel, finish or observe.
  static func casts(of count: Int) -> [[Step]] {
    casts(of: count, from: [.start, .cancel, .cancelAndFinish, .finish, .observe])
  }

  private static func casts(of count: Int, from steps: ArraySlice<Step>) -> [[Step]] {
    guard count > 0 else { return [[]] }
    return steps.indices.flatMap { index in
      casts(of: count - 1, from: steps[index...]).map { [steps[index]] + $0 }
    }
  }
}
