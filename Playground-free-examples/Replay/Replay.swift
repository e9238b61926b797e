import Foundation
import RowInspector
import RowOperations
import RowOperationsTesting

/// Replays a recording from a device: prints the findings of a list doctor, and draws the run.
@main
@MainActor
enum Replay {
  static func main() {
    do {
      try checkOutput()
      let options = try Options.parse(Array(CommandLine.arguments.dropFirst()))
      if options.showsHelp { return try printOrFail(Options.help) }
      // In debug builds, the tracker would print its own about loads that only the replay starts.
      OperationDiagnostics.onMisuse = { _ in }
      let text = try readText(options.file)
      let replay = try play(text, options)
      if let path = options.picture {
        let name = URL(fileURLWithPath: options.file).lastPathComponent
        try writeFile(replay.timeline.svg(title: name), path)
      }
      if let path = options.trace { try writeFile(replay.timeline.trace(), path) }
      try printOrFail(replay.summary)
      if replay.lostEndCount > 0, options.slots == nil, !text.hasPrefix("# RowOperations") {
        say("If the tracker had another number of slots, give it with --slots.")
      }
    } catch {
      say("\(error)")
      exit(2)
    }
  }

  private static func say(_ sentence: String) {
    FileHandle.standardError.write(Data("replay: \(sentence)\n".utf8))
  }

  private static func play(_ text: String, _ options: Options) throws -> ListReplay {
    do {
      return try ListReplay(text) { configuration in
        if let slots = options.slots { configuration.slots = UpdateSlots(slots) }
      }
    } catch let error as RecordingError {
      throw Complaint("'\(options.file)': \(error)")
    }
  }
}
