import Foundation
import RowInspector
import RowOperationsTesting

/// A recording that was read.
struct Recording: Sendable {
  /// How the tracker was configured, if the recording says so.
  let setup: RecordedSetup?
  let steps: [EventScript.Step]
  /// The findings of a doctor on the device.
  let findings: [String]

  var turns: Int { steps.count { $0 == .passEnd } }

  /// Reads a file.
  static func read(_ path: String) throws -> Recording {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw Complaint("There is no file \(path).")
    }
    guard !isFolder.boolValue else { throw Complaint("\(path) is a folder, not a recording.") }
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw Complaint("\(path) cannot be read: \(error.localizedDescription)")
    }
    guard let text = String(data: data, encoding: .utf8) else {
      throw Complaint("\(path) is no recording: it is no text.")
    }
    do {
      return try Recording(text)
    } catch {
      throw Complaint("\(path) \(error)")
    }
  }

  /// Reads a text.
  ///
  /// - Throws: A ``Complaint`` that goes on where the name of the file ends.
  init(_ text: String) throws {
    var setup: RecordedSetup?
    var steps: [EventScript.Step] = []
    var findings: [String] = []
    var isWhole = true
    var number = 0
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      if line.hasPrefix(ListRecording.mark) {
        findings.append(String(line.dropFirst(ListRecording.mark.count)))
      } else if line.hasPrefix(RecordedSetup.title) {
        guard let read = RecordedSetup(line) else {
          throw Complaint(
            "is of another version, or damaged: line \(number) cannot be read: \(line.prefix(60))")
        }
        setup = read
      } else if !line.allSatisfy(\.isWhitespace) {
        steps += try Self.steps(of: line, number, isFirst: steps.isEmpty && setup == nil)
        isWhole = steps.last == .passEnd
      }
    }
    guard number > 1 || !text.isEmpty else { throw Complaint("is empty.") }
    guard !steps.isEmpty else {
      throw Complaint("has no turns: the tracker heard nothing while it was recorded.")
    }
    guard isWhole else {
      throw Complaint(
        "is cut off: its last line does not end its turn with '|'. Delete that line to replay the "
          + "rest.")
    }
    (self.setup, self.steps, self.findings) = (setup, steps, findings)
  }

  private static func steps(
    of line: Substring, _ number: Int, isFirst: Bool
  ) throws -> [EventScript.Step] {
    do {
      return try EventScript(String(line)).steps
    } catch let error as EventScriptError {
      let step = error.step.count > 40 ? error.step.prefix(40) + "…" : error.step
      throw Complaint(
        isFirst
          ? "is no recording: line \(number) has '\(step)', which is no event of a list."
          : "is damaged or cut off in line \(number): '\(step)' cannot be read.")
    }
  }
}
