#if canImport(UIKit)
  import Foundation
  import Testing
  import UIKit

  @testable import RowOperations

  extension StandIn {
    /// Raw traces of lists, each in a file of the folder `Recorded` with its system in the first
    /// line.
    @Suite("Traces of lists")
    @MainActor
    struct TraceTests {
      nonisolated private static let recorded: [URL] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
          .appending(path: "Recorded")
        let files = try? FileManager.default.contentsOfDirectory(
          at: folder, includingPropertiesForKeys: nil)
        return (files ?? []).sorted { $0.path < $1.path }
      }()

      @Test("There are traces to play")
      func exist() { #expect(!Self.recorded.isEmpty) }

      @Test("The rows on screen are displayed after each layout of a trace", arguments: recorded)
      func plays(file: URL) async throws {
        let player = TracePlayer()
        await player.play(try String(contentsOf: file, encoding: .utf8))
        #expect(player.violations == [], "\(player.label)")
        #expect(player.looks > 3)
      }

      /// Traces of systems that would do something unexpected, and what the player finds.
      nonisolated private static let odd = [
        ("0 look 0,0,320,88 320x440 0,0,0,0 10 a=0@0.0:0,440,320,44", "off screen"),
        ("0 look 0,0,320,88 320x440 0,0,0,0 10 a=3@0.0:0,0,320,44", "is bound to row 3"),
        (
          """
          0 look 0,0,320,88 320x440 0,0,0,0 10 a=0@0.0:0,0,320,44
          9 look 0,0,320,88 320x440 0,0,0,0 10 a=0@0.0:0,0,320,44 a=1@0.1:0,44,320,44
          """, "displayed"
        ),
        ("0 wink", "has no known report"),
      ]

      @Test("An unexpected line of a trace is reported", arguments: odd)
      func isReported(lines: String, finding: String) async {
        let player = TracePlayer()
        await player.play("0 trace 2 UITableView System\n0 counts 10\n0 rows 0 [0…9]\n\(lines)")
        #expect(player.violations.contains { $0.contains(finding) }, "\(player.violations)")
      }

      @Test(
        "A trace that was just recorded plays to the same displays", arguments: ListKind.allCases)
      func recorded(kind: ListKind) async throws {
        for seed in 0..<8 as Range<UInt64> {
          let phone = Phone(Variant(seed: seed), seed: seed)
          let tracker = phone.tracker { $0.cached = { $0 } }
          let list = RandomList(kind, tracker, sections: 1, rows: 60)
          var lines: [String] = []
          list.tracking?.recordTrace { lines.append($0) }
          phone.window.addSubview(list.frame)
          await phone.turns()
          list.view.beginDrag()
          list.view.drag(by: CGPoint(x: 0, y: 30))
          await phone.wait(frames: 2)
          list.view.endDrag(velocity: CGPoint(x: 0, y: 1.5))
          await phone.wait(frames: 40, of: 40)
          list.model[0].removeFirst(3)
          list.view.update { list.view.delete([[0, 0], [0, 1], [0, 2]]) }
          await phone.turns()
          list.frame.removeFromSuperview()
          await phone.turns()
          phone.window.addSubview(list.frame)
          await phone.turns()
          list.model[0].reverse()
          list.view.reloadData()
          await phone.turns()
          let player = TracePlayer()
          await player.play(lines.joined(separator: "\n"))
          #expect(player.violations == [], "\(kind), seed \(seed)")
          #expect(player.label.hasPrefix(kind.isTable ? "UITableView" : "UICollectionView"))
          let reports = Set(lines.map { $0.split(separator: " ")[1] })
          #expect(
            reports.isSuperset(of: ["trace", "counts", "rows", "look", "offset", "drag", "lift"])
              && reports.contains("cover"))
          list.stop()
          guard seed == 1, let file = ProcessInfo.processInfo.environment["TRACE_FILE"],
            kind == .sections
          else { continue }
          try lines.joined(separator: "\n").write(
            toFile: file, atomically: true, encoding: .utf8)
        }
      }
    }
  }

  extension ListKind {
    fileprivate var isTable: Bool { self != .grid && self != .sections }
  }
#endif
