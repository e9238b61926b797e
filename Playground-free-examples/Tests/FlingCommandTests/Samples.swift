import Foundation
import RowOperations

@testable import fling

extension Figures {
  /// The figures of a good run of 40 rows, but for the changes of a test.
  static func sample(_ change: (inout Figures) -> Void = { _ in }) -> Figures {
    var times = LoadTimes()
    for milliseconds in 1...100 { times.add(.milliseconds(milliseconds)) }
    var figures = Figures(
      rows: 200, rowsPassed: 90, displayed: 14, started: 40, finished: 40, cancelledWaiting: 0,
      cancelledRunning: 0, cancelledPerStage: [:], refusedStale: 0, failed: 0,
      failures: [:], finishedOffScreen: 0, bytes: 4_000,
      rowNumbers: .rows, repliesNamingARow: 40, repliesNamingAnotherRow: 0,
      secondsToLoad: LoadPercentiles(times),
      secondsToSettle: 0.25, notLoadedAtStandstill: 0, notLoadedAfterSettling: 0, neverLoaded: 0,
      blankRowSeconds: 1.5, rowsShown: 40, rowsChecked: 40, changedMeanwhile: nil, mixedUpRows: 0,
      wrongRows: 0)
    change(&figures)
    return figures
  }

  /// The figures of a run in which all loads failed.
  static var nothing: Figures {
    sample { figures in
      (figures.finished, figures.failed, figures.failures) = (0, 40, ["HTTP 404": 40])
      (figures.rowsShown, figures.rowsChecked, figures.bytes) = (0, 0, 0)
      (figures.secondsToLoad, figures.secondsToSettle) = (nil, nil)
    }
  }
}

extension MisnamedReply {
  /// The reply to the request of row 33, which has the number 34.
  static func sample(redirectedTo target: String? = nil) -> MisnamedReply {
    MisnamedReply(row: 33, number: 33, namedNumber: 34, redirectedTo: target)
  }
}

/// A folder for one test.
func withFolder<Output>(_ body: (URL) async throws -> Output) async throws -> Output {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try await body(folder)
}
