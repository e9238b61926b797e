import Foundation

/// Flings a list whose rows load over HTTP, and says what that took.
@main
@MainActor
enum Fling {
  static func main() async {
    do {
      let options = try Options.parse(Array(CommandLine.arguments.dropFirst()))
      if options.showsHelp { return print(Options.help) }
      if let folder = options.export {
        return try OriginContent.export(options.rows ?? 10_000, to: folder)
      }
      let figures = try await run(options)
      print(options.printsJSON ? try figures.json : figures.table)
      if figures.wrongRows > 0 { exit(1) }
    } catch {
      FileHandle.standardError.write(Data("fling: \(error)\n".utf8))
      exit(2)
    }
  }

  private static func run(_ options: Options) async throws -> Figures {
    let (source, origin) = try await open(options)
    defer { origin?.stop() }
    let scenario = Scenario(source: source, options: options)
    var terminal = Terminal { scenario.interrupt() }
    scenario.onProgress = { terminal.show($0) }
    await scenario.run()
    terminal.clear()
    return scenario.figures
  }

  /// The place that the rows come from, and the server that is to be stopped in the end.
  private static func open(_ options: Options) async throws -> (RowSource, Origin?) {
    if let base = options.origin {
      let source = RowSource(
        count: options.rows ?? 10_000, base: base, path: options.path,
        connections: options.slots * 2)
      try await source.checkIsReachable()
      return (source, nil)
    }
    let files = try options.folder.map {
      try OriginContent.files(below: $0, limit: options.rows)
    }
    let count = files?.count ?? options.rows ?? 10_000
    let content = OriginContent(count: count, files: files, options: options)
    let origin = try Origin(answer: content.answer)
    guard let base = URL(string: "http://127.0.0.1:\(origin.port)") else {
      throw Complaint("The server's address cannot be written down.")
    }
    let source = RowSource(
      count: count, base: base, path: "/rows/{row}.json", files: files,
      connections: options.slots * 2)
    return (source, origin)
  }
}
