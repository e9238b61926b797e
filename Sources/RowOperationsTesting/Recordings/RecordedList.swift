import Foundation
import RowInspector

struct RecordedList {
  private(set) var deviceFindings: [String] = []
  private(set) var setup: RecordedSetup?
  private(set) var steps: [EventScript.Step] = []

  var turnCount: Int { steps.lazy.filter { $0 == .passEnd }.count }

  init(_ text: String) throws {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (number, line) in zip(1..., lines) {
      if line.hasPrefix(ListRecording.mark) {
        deviceFindings.append(String(line.dropFirst(ListRecording.mark.count)))
      } else if line.hasPrefix(RecordedSetup.title) {
        guard let read = RecordedSetup(line) else {
          throw RecordingError(
            "The text is of another version, or damaged: line \(number) cannot be read: "
              + line.prefix(60))
        }
        setup = read
      } else if !line.allSatisfy(\.isWhitespace) {
        steps += try Self.steps(of: line, number, isFirst: steps.isEmpty && setup == nil)
      }
    }
    guard !text.isEmpty else { throw RecordingError("The text is empty.") }
    guard !steps.isEmpty else {
      throw RecordingError(
        "The text has no turns: the tracker received nothing while it was recorded.")
    }
    guard steps.last == .passEnd else {
      throw RecordingError(
        "The text is cut off: its last line does not end its turn with '|'. Delete that line to "
          + "replay the rest.")
    }
  }

  private static func steps(
    of line: Substring, _ number: Int, isFirst: Bool
  ) throws -> [EventScript.Step] {
    do {
      return try EventScript(String(line)).steps
    } catch let error as EventScriptError {
      let step = error.step.count > 40 ? error.step.prefix(40) + "…" : error.step
      throw RecordingError(
        isFirst
          ? "The text is not a recording: line \(number) has '\(step)', which is no event of a list."
          : "The text is damaged or cut off in line \(number): '\(step)' cannot be read.")
    }
  }
}

/// The reason why a text is not a whole recording.
public struct RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// In a sentence, with the line of the text.
  public let description: String

  init(_ description: String) { self.description = description }
}
