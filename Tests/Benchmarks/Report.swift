import Foundation

/// A measured figure with its limit.
struct Entry: Sendable {
  let id: String
  let title: String
  /// The result of the repetitions.
  let sample: Sample
  /// The limit of the value.
  let limit: Double
  /// The smaller share of a processor before and after the measurement.
  var share = 1.0

  enum Verdict: String, Encodable {
    case met = "yes"
    case exceeded = "NO"
    case tooNoisy = "too noisy to judge"
  }

  /// Whether the value is within its limit.
  ///
  /// Other programs on the machine make times longer. So a time beyond its limit proves nothing on
  /// a busy machine. Neither do repetitions on both sides of a limit that are further apart than
  /// by half of it.
  var verdict: Verdict {
    let isSplit = sample.low <= limit && sample.high > limit
    if isTimed, isSplit, sample.high - sample.low > limit / 2 { return .tooNoisy }
    if sample.value <= limit { return .met }
    return isTimed && share < ProcessorShare.least ? .tooNoisy : .exceeded
  }

  /// Whether it is made of times; counts and virtual time repeat.
  private var isTimed: Bool {
    ["B1", "B2", "B3", "B4", "B5", "B6", "B11"].contains(id.filter { $0 == "B" || $0.isNumber })
  }
}

/// The result of several repetitions of one measurement.
struct Sample: Sendable {
  /// The value that counts: the median, the worst, or the sum.
  let value: Double
  let low: Double
  let high: Double

  /// - Parameter values: Measured values; those that are not a number were not measured.
  init(_ values: [Double]) {
    let sorted = values.filter { !$0.isNaN }.sorted()
    guard let first = sorted.first, let last = sorted.last else {
      (value, low, high) = (.nan, .nan, .nan)
      return
    }
    let middle = sorted.count / 2
    value =
      sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    (low, high) = (first, last)
  }
}

extension Sample {
  /// A value derived from several measurements.
  init(value: Double, low: Double, high: Double) {
    self.value = value
    self.low = low
    self.high = high
  }

  /// - Parameter values: At least one.
  init(worstOf values: [Double]) {
    low = values.min() ?? .nan
    high = values.max() ?? .nan
    value = high
  }
}

extension Sample {
  /// The worst of several ratios of blank times.
  init(worstOfRatios pairs: [(Double, Double)]) { self.init(worstOf: pairs.map(Self.ratio)) }

  /// The median of several ratios of blank times.
  init(ratiosOf pairs: [(Double, Double)]) { self.init(pairs.map(Self.ratio)) }

  /// The ratio of two blank times; two below a frame of one row count as equal.
  private static func ratio(_ blank: Double, _ other: Double) -> Double {
    max(blank, 17) / max(other, 17)
  }

  /// The ratio of the sums; the spread is that of the single ratios.
  init(ratios: [(Double, Double)]) {
    let each = ratios.compactMap { $1 > 0 ? $0 / $1 : $0 > 0 ? .infinity : nil }
    low = each.min() ?? 0
    high = each.max() ?? 0
    value = ratios.reduce(0) { $0 + $1.0 } / ratios.reduce(0) { $0 + $1.1 }
  }
}

/// All figures of a run.
struct Report: Sendable {
  /// Whether the run was long enough for the limits.
  let comparesWithLimits: Bool
  var entries: [Entry] = []

  /// Whether no figure exceeds its limit for certain.
  var isMet: Bool { entries.allSatisfy { $0.verdict != .exceeded } }

  // MARK: Output

  private struct Line: Encodable {
    let id: String
    let title: String
    let value: Double
    let low: Double
    let high: Double
    let limit: Double
    let met: Entry.Verdict
  }

  var json: String {
    get throws {
      let lines = entries.map {
        Line(
          id: $0.id, title: $0.title, value: $0.sample.value, low: $0.sample.low,
          high: $0.sample.high, limit: $0.limit, met: $0.verdict)
      }
      let encoder = JSONEncoder()
      encoder.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: "infinity", negativeInfinity: "-infinity", nan: "not measured")
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      return String(decoding: try encoder.encode(lines), as: UTF8.self)
    }
  }

  var table: String {
    let head = ["", "figure", "value", "spread"] + (comparesWithLimits ? ["limit", "met"] : [])
    let lines = entries.map { entry in
      [
        entry.id, entry.title, Self.text(entry.sample.value),
        "\(Self.text(entry.sample.low)) to \(Self.text(entry.sample.high))",
      ] + (comparesWithLimits ? [Self.text(entry.limit), entry.verdict.rawValue] : [])
    }
    return alignedTable(of: [head] + lines, namesIn: 2) + (comparesWithLimits ? "" : Self.quick)
  }

  private static let quick = """

    A quick run shows that all figures work. Its values are too rough to compare with limits.
    """

  /// A number with three significant digits.
  private static func text(_ number: Double) -> String {
    if number == number.rounded(), abs(number) < 1e6 { return String(Int(number)) }
    return String(format: abs(number) < 0.1 ? "%.4f" : abs(number) < 10 ? "%.3f" : "%.1f", number)
  }
}
