import Foundation

/// Measures the figures that this package promises, each against a limit.
@MainActor
package enum Benchmarks {
  /// Runs synchronously: an asynchronous `main` moves the main queue to other threads on Linux, and
  /// ``CountedWork`` stays on this thread.
  package static func main() {
    do {
      let options = try Options.parse(Array(CommandLine.arguments.dropFirst()))
      if options.showsHelp { return print(Options.help) }
      if let work = options.counted { return work.run(rows: options.rows ?? CountedWork.names) }
      if options.performsLaws { return CostLaw.run() }
      Task {
        await run(options)
        exit(0)
      }
      dispatchMain()
    } catch {
      fail(error)
    }
  }

  private static func run(_ options: Options) async {
    do {
      let effort = Effort(isQuick: options.isQuick)
      if options.compares { return await compare(effort) }
      if options.showsWorlds { return try worlds(effort, options) }
      if options.showsExample { return print(try ExampleTable.json) }
      if let file = options.picture { return try draw(effort, to: file) }
      let report = await measure(options)
      print(options.printsJSON ? try report.json : report.table)
      if !options.isQuick, !report.isMet { exit(1) }
    } catch {
      fail(error)
    }
  }

  private static func fail(_ error: any Error) -> Never {
    FileHandle.standardError.write(Data("benchmarks: \(error)\n".utf8))
    exit(2)
  }

  private static func compare(_ effort: Effort) async {
    print(await Comparison.passingRows(effort))
    print(await Comparison.ways(effort))
    print(await Comparison.allocations(effort))
    print(Comparison.table(of: await Comparison.listLengths(effort)))
    print(await Comparison.waitingRows(effort))
    print(await Comparison.frames(effort))
  }

  private static func worlds(_ effort: Effort, _ options: Options) throws {
    if options.printsJSON {
      let tables = World.Setting.inArticles.map { worlds(effort, in: $0) }
      return print(try WorldTable.json(tables))
    }
    print(ForesightTable(effort).text + "\n")
    for setting in World.Setting.all { print(worlds(effort, in: setting).text + "\n") }
  }

  private static func worlds(_ effort: Effort, in setting: World.Setting) -> WorldTable {
    WorldTable(effort, setting, sessions: setting.name == World.Setting.all[0].name ? 12 : 4)
  }

  private static func draw(_ effort: Effort, to file: String) throws {
    let sheet = Comparison.sheet(effort)
    do {
      try Data(sheet.svg.utf8).write(to: URL(fileURLWithPath: file))
    } catch {
      throw Complaint(
        "The picture cannot be written to '\(file)'. Name a file in a folder of yours.")
    }
  }

  private static func measure(_ options: Options) async -> Report {
    var report = Report(comparesWithLimits: !options.isQuick)
    let effort = Effort(isQuick: options.isQuick)
    for family in Family.all where options.picks(family) {
      // People see the progress of a long run, while a pipe gets only the result.
      FileHandle.standardError.write(Data("\(family.id): \(family.title)\n".utf8))
      let share = ProcessorShare.measured()
      let entries = await family.measure(effort)
      let least = min(share, ProcessorShare.measured())
      report.entries += entries.map { entry in
        var entry = entry
        entry.share = least
        return entry
      }
    }
    return report
  }
}

/// Figures that are measured together.
struct Family: Sendable {
  let id: String
  let title: String
  let measure: @Sendable @MainActor (Effort) async -> [Entry]

  static let all: [Family] = [
    .bareOperations, .queuedOperations, .passingRows, .retainedRows, .waitingRows, .jump,
    .landings, .worlds, .orders, .batches, .memory, .frames, .renders,
  ]
}

/// The extent of all measurements.
struct Effort: Sendable {
  let isQuick: Bool

  /// How often each measurement is repeated.
  ///
  /// - Parameter full: The number for a run that compares times with limits.
  func repetitions(_ full: Int = 9) -> Int { isQuick ? 2 : full }

  /// The size of a list or another input.
  ///
  /// - Parameter full: The size for a run that compares times with limits.
  func size(_ full: Int) -> Int { isQuick ? max(full / 20, 1) : full }
}
