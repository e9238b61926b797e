import Foundation

/// A figure that this package promises, as measured.
struct Figure: Sendable {
  let id: String
  let title: String
  let value: Double
  /// What the figure should be at most; `nil` for one that is only reported.
  let limit: Double?

  init(_ id: String, _ title: String, _ value: Double, limit: Double?) {
    (self.id, self.title, self.value, self.limit) = (id, title, value, limit)
  }

  /// Whether the figure is beyond its limit; a value that is not a number is.
  var isOver: Bool { limit.map { !(value <= $0) } ?? false }

  private var verdict: String {
    guard limit != nil else { return "" }
    return isOver ? "OVER" : "met"
  }

  /// Lines of a table: the id and the title, and numbers on the right.
  static func table(_ figures: [Figure]) -> String {
    let lines =
      [["", "figure", "value", "at most", ""]]
      + figures.map { figure in
        [
          figure.id, figure.title, text(figure.value), figure.limit.map(text) ?? "",
          figure.verdict,
        ]
      }
    let widths = (0..<5).map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { line in
      line.indices.map { column in
        let gap = String(repeating: " ", count: widths[column] - line[column].count)
        return column == 2 || column == 3 ? gap + line[column] : line[column] + gap
      }.joined(separator: "  ")
    }.joined(separator: "\n")
  }

  private static func text(_ number: Double) -> String {
    number == number.rounded() || abs(number) >= 100
      ? String(format: "%.0f", number) : String(format: "%.3f", number)
  }
}

/// Figures that are measured together.
struct Family: Sendable {
  let id: String
  let measure: @Sendable @MainActor () async throws -> [Figure]

  init(_ id: String, _ measure: @escaping @Sendable @MainActor () async throws -> [Figure]) {
    (self.id, self.measure) = (id, measure)
  }

  /// Those that need nothing but this program.
  static let measured: [Family] = [
    .jump, .landings, .worlds, .worldsWithoutOrder, .memory, .renders, .orders, .batches, .idle,
    .fewValues,
  ]

  /// Those that valgrind's callgrind counts.
  static let counted: [Family] = [
    .operations, .frames, .passingRows, .loads, .dataChanges, .groups, .elements,
  ]
}
