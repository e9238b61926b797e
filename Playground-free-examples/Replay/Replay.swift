import Console
import Foundation
import RowInspector
import RowOperations
import RowOperationsTesting

/// Replays a recording from a device, and prints the findings of a list doctor.
@main
@MainActor
enum Replay {
  static let help = """
    USAGE: replay FILE [--slots N]

    Plays a recording of a list to a tracker: the list's events and the ends of
    loads, at their times. Prints what a list doctor finds in it, with what to do,
    and the tracker's figures.

    Recordings are written by ListRecording, by DisplayTracker.recordEvents(_:), and
    by 'fling --record FILE'. Those of recordEvents have no line with the
    configuration: the default is assumed, so give --slots if yours differs. While
    loads differ from the recorded ones, findings about loads are left out.
    Replay/sample.recording is a list with two slots for slow loads.

      --slots N    How many loads ran at once, in place of the recorded or the
                   default number.
      -h, --help   This text.

    FILE may be - for the standard input.
    """

  static func main() {
    do {
      try checkOutput()
      var (file, slots): (String?, Int?)
      var arguments = Arguments(Array(CommandLine.arguments.dropFirst()), of: "replay")
      while let word = try arguments.next() {
        switch word {
        case "--help", "-h": return try printOrFail(help)
        case "--slots": slots = try arguments.number(in: 1...256)
        case _ where file != nil || word.hasPrefix("-") && word != "-":
          throw arguments.unknown(word)
        default: file = word
        }
      }
      guard let file else { throw Complaint("Name the file of a recording: replay FILE") }
      // In debug builds, the tracker would print its own about loads that only the replay starts.
      OperationDiagnostics.onMisuse = { _ in }
      let text = try read(file)
      let replay = try play(text, slots, file)
      try printOrFail(replay.summary)
      if replay.lostEndCount > 0, slots == nil, !text.hasPrefix("# RowOperations") {
        say("If the tracker had another number of slots, give it with --slots.", by: "replay")
      }
    } catch {
      say("\(error)", by: "replay")
      exit(2)
    }
  }

  private static func read(_ path: String) throws -> String {
    guard path == "-" || access(path, R_OK) == 0 else {
      throw Complaint("'\(path)' cannot be read: \(String(cString: strerror(errno))).")
    }
    let file = path == "-" ? .standardInput : FileHandle(forReadingAtPath: path)
    let data = try? file?.readToEnd() ?? Data()
    guard let data, let text = String(data: data, encoding: .utf8) else {
      throw Complaint("'\(path)' is not a recording: it is not text.")
    }
    return text
  }

  static func play(_ text: String, _ slots: Int?, _ name: String) throws -> ListReplay {
    do {
      return try ListReplay(text) { configuration in
        if let slots { configuration.slots = UpdateSlots(slots) }
      }
    } catch {
      throw Complaint("'\(name)': \(error)")
    }
  }
}
