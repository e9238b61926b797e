@testable import fling

extension Figures {
  /// The figures of a good run of 40 rows, but for the changes of a test.
  static func sample(_ change: (inout Figures) -> Void = { _ in }) -> Figures {
    var figures = Figures(
      rows: 200, rowsPassed: 90, displayed: 14, started: 40, finished: 40, failed: 0, bytes: 4_000,
      secondsToLoad: ["p50": 0.05, "p90": 0.09, "p99": 0.099], secondsToSettle: 0.25,
      blankRowSeconds: 1.5, rowsChecked: 40)
    change(&figures)
    return figures
  }

  /// The figures of a run in which all loads failed.
  static var nothing: Figures {
    sample { figures in
      (figures.finished, figures.failed, figures.failures) = (0, 40, ["HTTP 404": 40])
      (figures.rowsChecked, figures.bytes) = (0, 0)
      (figures.secondsToLoad, figures.secondsToSettle) = (nil, nil)
    }
  }
}

/// Runs with the names A and B.
func samples(_ figures: [Figures]) -> [Run] {
  zip(["A", "B"], figures).map { Run(name: $0, figures: $1) }
}
