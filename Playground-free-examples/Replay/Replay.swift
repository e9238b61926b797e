import Foundation
import RowInspector
import RowOperationsTesting

/// Replays a recording from a device: prints the findings of a list doctor, and draws the run.
@main
@MainActor
enum Replay {
  static func main() {
    do {
      let options = try Options.parse(Array(CommandLine.arguments.dropFirst()))
      if options.showsHelp { return try printOrFail(Options.help) }
      let replay = try play(options.file)
      if let path = options.picture {
        let name = URL(fileURLWithPath: options.file).lastPathComponent
        try writeFile(replay.timeline.svg(title: name), path)
      }
      if let path = options.trace { try writeFile(replay.timeline.trace(), path) }
      try printOrFail(replay.summary)
    } catch {
      FileHandle.standardError.write(Data("replay: \(error)\n".utf8))
      exit(2)
    }
  }

  private static func play(_ path: String) throws -> ListReplay {
    let text = try readText(path)
    do {
      return try ListReplay(text)
    } catch let error as RecordingError {
      throw Complaint("'\(path)': \(error)")
    }
  }
}
