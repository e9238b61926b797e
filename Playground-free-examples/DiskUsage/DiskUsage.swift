import Foundation

/// Shows the contents of a folder and how much room they take.
@main
@MainActor
enum DiskUsage {
  static func main() async {
    do {
      try checkOutput()
      let options = try Options.parse(arguments)
      if options.showsHelp { return try printOrFail(Options.help) }
      let listing = try await list(options.folder)
      if let count = options.plain { exit(try await printRows(count, of: listing)) }
      if let obstacle = Terminal.obstacle {
        throw Complaint("\(obstacle); --plain 20 prints 20 rows instead.")
      }
      await Session(listing, isLive: options.isLive).run()
    } catch {
      complain("\(error)")
      exit(2)
    }
  }

  /// The command line in its own bytes.
  private static var arguments: [[UInt8]] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      CommandLine.unsafeArgv[index].map(bytes(of:))
    }
  }

  private static func bytes(of text: UnsafeMutablePointer<CChar>) -> [UInt8] {
    UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) }
  }

  private static func complain(_ sentence: String) {
    FileHandle.standardError.write(Data("disk-usage: \(sentence)\n".utf8))
  }

  /// Reads the first folder, whose path may be a symbolic link.
  private static func list(_ folder: Path) async throws -> Listing {
    guard let resolved = withCString(folder.bytes, { realpath($0, nil) }) else {
      throw Complaint.cannotFind(folder, errno)
    }
    defer { free(resolved) }
    let path = Path(bytes(of: resolved))
    do {
      guard try FileStatus(of: path).isFolder else {
        throw Complaint("\(folder.quoted) is a file, not a folder.")
      }
      return try await Listing.read(path)
    } catch let error as FileError {
      throw Complaint.cannotRead(folder, error)
    }
  }

  /// Prints the largest rows.
  ///
  /// - Returns: The exit status.
  private static func printRows(_ count: Int, of listing: Listing) async throws -> Int32 {
    let browser = Browser(listing, prefetchLimit: max(1, listing.entries.count))
    var progress = ProgressLine()
    let showProgress = { [weak browser] in
      guard let browser else { return }
      progress.show("\(browser.measuredCount) of \(listing.entries.count) rows measured")
    }
    browser.onChange = showProgress
    showProgress()
    browser.layOut()
    await browser.waitUntilIdle()
    browser.layOut()
    progress.clear()
    let rows = PlainRows(browser.contents, count: count)
    if !rows.lines.isEmpty { try printOrFail(rows.lines.joined(separator: "\n")) }
    for complaint in rows.complaints { complain(complaint) }
    return rows.complaints.isEmpty ? 0 : 1
  }
}
