import Foundation

/// Shows the contents of a folder and how much room they take.
@main
@MainActor
enum DiskUsage {
  static func main() async {
    do {
      let options = try Options.parse(arguments)
      if options.showsHelp { return print(Options.help) }
      let listing = try await list(options.folder)
      if let count = options.plain { exit(await printRows(count, of: listing)) }
      guard Terminal.isThere else {
        throw Complaint("There is no terminal to show it in; --plain 20 prints 20 rows instead.")
      }
      await Session(listing).run()
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

  private static func complaint(_ error: FileError, _ name: String) -> Complaint {
    switch error {
    case .refused(let code):
      Complaint("\(name) cannot be read: \(String(cString: strerror(code))).")
    case .gone: Complaint("There is no folder \(name).")
    }
  }

  private static func complain(_ sentence: String) {
    FileHandle.standardError.write(Data("disk-usage: \(sentence)\n".utf8))
  }

  /// Reads the first folder, whose path may be a symbolic link.
  private static func list(_ folder: Path) async throws -> Listing {
    let name = "'\(VisibleText(folder.bytes).text)'"
    guard let resolved = withCString(folder.bytes, { realpath($0, nil) }) else {
      guard errno != ENOTDIR else { throw Complaint("\(name) leads through a file.") }
      throw complaint(FileError(errno), name)
    }
    defer { free(resolved) }
    let path = Path(bytes(of: resolved))
    do {
      guard try FileStatus(of: path).isFolder else {
        throw Complaint("\(name) is a file, not a folder.")
      }
      return try await Listing.read(path)
    } catch let error as FileError {
      throw complaint(error, name)
    }
  }

  /// Prints the largest rows.
  ///
  /// - Returns: The exit status.
  private static func printRows(_ count: Int, of listing: Listing) async -> Int32 {
    let browser = Browser(listing, prefetchLimit: max(1, listing.entries.count))
    browser.layOut()
    await browser.waitUntilIdle()
    browser.layOut()
    let contents = browser.contents
    for place in 0..<min(count, contents.order.count) {
      guard let tally = contents.tally(at: place), tally.trouble != .gone else { continue }
      let name = VisibleText(contents.path(at: place).name).text
      print("\(tally.bytes)\t\(tally.files)\t\(name)")
    }
    let unreadable = contents.total.unreadable
    guard unreadable > 0 else { return 0 }
    complain("Not everything could be read; files and folders left out: \(unreadable).")
    return 1
  }
}
