import Foundation
import RowInspector

/// Replays a recording from a device: prints the findings of a list doctor, and draws the run.
@main
@MainActor
enum Replay {
  static func main() {
    do {
      let options = try Options.parse(Array(CommandLine.arguments.dropFirst()))
      if options.showsHelp { return print(Options.help) }
      let recording = try Recording.read(options.file)
      let rerun = Rerun(recording)
      rerun.play()
      if let path = options.picture {
        let name = URL(fileURLWithPath: options.file).lastPathComponent
        try write(rerun.timeline.svg(title: name), to: path)
      }
      if let path = options.trace { try write(rerun.timeline.trace(), to: path) }
      print(Summary(recording, rerun).text)
    } catch {
      FileHandle.standardError.write(Data("replay: \(error)\n".utf8))
      exit(2)
    }
  }

  private static func write(_ text: String, to path: String) throws {
    do {
      try text.write(toFile: path, atomically: true, encoding: .utf8)
    } catch {
      throw Complaint("\(path) cannot be written: \(error.localizedDescription)")
    }
  }
}
