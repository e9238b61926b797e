import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("The prefetch window against a list without sections")
struct PrefetchWindowModelTests {
  typealias Position = PrefetchWindow.Position

  enum Operation: CustomStringConvertible {
    case move(ClosedRange<Position>, sections: [Int])
    case reset

    var description: String {
      switch self {
      case .move(let visible, let sections):
        "\(text([visible.lowerBound, visible.upperBound])) of \(sections)"
      case .reset: "reset"
      }
    }
  }

  static func text(_ positions: some Sequence<Position>) -> String {
    positions.map { "\($0.section).\($0.row)" }.joined(separator: " ")
  }

  /// All rows one after another, and the window as a range of them.
  struct Model {
    let before: Int
    let after: Int
    var positions: [Position] = []
    var visible: ClosedRange<Position>?
    var isForward = true

    mutating func apply(_ operation: Operation) -> PrefetchWindow.Change {
      let old = positions
      switch operation {
      case .reset:
        (visible, isForward, positions) = (nil, true, [])
      case .move(let visible, let sections):
        turn(to: visible)
        self.visible = visible
        let all = sections.enumerated().flatMap { section, rows in
          (0..<rows).map { Position(section: section, row: $0) }
        }
        // If the first visible row's section is gone, the rows before it are unknown.
        let isKnown = visible.lowerBound.section < sections.count
        let up = isKnown ? all.filter { $0 < visible.lowerBound }.reversed() : []
        let down = all.filter { $0 > visible.upperBound }
        let (ahead, behind) = isForward ? (down, up) : (up, down)
        positions = Array(ahead.prefix(after)) + behind.prefix(before)
      }
      return PrefetchWindow.Change(
        added: positions.filter { !old.contains($0) },
        removed: old.filter { !positions.contains($0) && visible?.contains($0) != true })
    }

    private mutating func turn(to visible: ClosedRange<Position>) {
      guard let last = self.visible, last != visible else { return }
      let (from, to) = (visible.lowerBound, visible.upperBound)
      if from >= last.lowerBound, to >= last.upperBound { isForward = true }
      if from <= last.lowerBound, to <= last.upperBound { isForward = false }
    }
  }

  static func apply(
    _ operation: Operation, to window: inout PrefetchWindow
  ) -> PrefetchWindow.Change {
    switch operation {
    case .reset: window.reset()
    case .move(let visible, let sections):
      window.move(to: visible, sections: sections.count) { sections[$0] }
    }
  }

  /// Also applies the changes like an app that prefetches each added row until the row is removed
  /// or displayed.
  static func complaint(
    _ operations: [Operation], before: Int, after: Int,
    apply: (Operation, inout PrefetchWindow) -> PrefetchWindow.Change = { apply($0, to: &$1) }
  ) -> String? {
    var window = PrefetchWindow(before: before, after: after)
    var model = Model(before: before, after: after)
    var prefetched: Set<Position> = []
    for operation in operations {
      let change = apply(operation, &window)
      let expected = model.apply(operation)
      if window.positions != model.positions {
        return "\(text(window.positions)), not \(text(model.positions))"
      }
      if change != expected {
        return """
          +[\(text(change.added))] -[\(text(change.removed))], not \
          +[\(text(expected.added))] -[\(text(expected.removed))]
          """
      }
      prefetched.formUnion(change.added)
      prefetched.subtract(change.removed)
      if case .move(let visible, _) = operation {
        prefetched = prefetched.filter { !visible.contains($0) }
      }
      if prefetched != Set(window.positions) { return "an app prefetches \(text(prefetched))" }
    }
    return nil
  }

  /// Sections of any size, many of them empty, and rows that may no longer exist.
  static func operation(using random: inout SeededGenerator) -> Operation {
    if Int.random(in: 0..<10, using: &random) == 0 { return .reset }
    let sections = (0..<Int.random(in: 0...5, using: &random)).map { _ in
      max(Int.random(in: -3...6, using: &random), 0)
    }
    let ends = (0..<2).map { _ in
      Position(section: .random(in: 0...4, using: &random), row: .random(in: 0...6, using: &random))
    }
    return .move(min(ends[0], ends[1])...max(ends[0], ends[1]), sections: sections)
  }

  @Test("Windows of all sizes hold the rows of the model", arguments: 0...3, [0, 1, 2, 5, 40])
  func random(before: Int, after: Int) {
    let failure = ModelTrial.randomWalks(
      20, length: 60, operation: Self.operation,
      complaint: { Self.complaint($0, before: before, after: after) })
    #expect(failure == nil)
  }

  @Test("All moves of two visible rows in a list of six rows hold the rows of the model")
  func all() {
    let moves = (0..<5).map {
      Operation.move(Position(row: $0)...Position(row: $0 + 1), sections: [6])
    }
    let failure = ModelTrial.allSequences(
      of: moves + [.reset], length: 5, complaint: { Self.complaint($0, before: 1, after: 2) })
    #expect(failure == nil)
  }

  @Test("The check detects a window that does not change its direction")
  func broken() {
    let failure = ModelTrial.randomWalks(5, length: 60, operation: Self.operation) {
      Self.complaint($0, before: 1, after: 2) { operation, window in
        let positions = window.positions
        if case .move = operation {
          _ = window.reset()
          let change = Self.apply(operation, to: &window)
          return .init(
            added: change.added.filter { !positions.contains($0) },
            removed: positions.filter { !window.positions.contains($0) })
        }
        return Self.apply(operation, to: &window)
      }
    }
    #expect(failure?.hasPrefix("seed") == true)
  }
}
