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
      if options.showsHelp { return print(Options.help) }
      let replay = try play(options.file)
      if let path = options.picture {
        let name = URL(fileURLWithPath: options.file).lastPathComponent
        try write(replay.timeline.svg(title: name), to: path)
      }
      if let path = options.trace { try write(replay.timeline.trace(), to: path) }
      print(replay.summary)
    } catch {
      FileHandle.standardError.write(Data("replay: \(error)\n".utf8))
      exit(2)
    }
  }

  private static func play(_ path: String) throws -> ListReplay {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw Complaint("There is no file \(path).")
    }
    guard !isFolder.boolValue else { throw Complaint("\(path) is a folder, not a recording.") }
    do {
      return try ListReplay(contentsOf: URL(fileURLWithPath: path))
    } catch let error as RecordingError {
      throw Complaint("\(path): \(error)")
    } catch {
      throw Complaint("\(path) cannot be read: \(error.localizedDescription)")
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
