import Foundation
import RowOperations

/// Writes a tracker's inputs to a file, for a bug report, the example `replay` and tests.
///
/// ```swift
/// let url = FileManager.default.temporaryDirectory.appendingPathComponent("list.recording")
/// recording = try ListRecording(of: tracker, to: url)
/// ```
///
/// Begin before the list is first laid out: cells that were bound before are not in it. The first
/// line has the configuration, each further line a turn, as `DisplayTracker.recordEvents(_:)`
/// writes it. It contains no data of your users.
///
/// **Threading**: main actor.
///
/// **Errors**: a recording ends if its file can no longer be written; see ``failure``. A pipe whose
/// reader has ended raises `SIGPIPE`, which ends a process that does not ignore it.
///
/// **Cost**: each turn writes a line, on the main thread. For debug builds.
@MainActor
public final class ListRecording {
  /// The file.
  public nonisolated let url: URL
  /// Why the recording ended by itself.
  public private(set) var failure: (any Error)?
  private var file: FileHandle?
  private var stopTracker: @MainActor () -> Void = {}
  private let findings: @MainActor () -> [ListFinding]

  /// Begins to record, and empties a file that is there.
  ///
  /// A pipe needs a reader, and keeps the main thread waiting until there is one.
  ///
  /// - Throws: A `POSIXError` if the file cannot be opened, the error of its first line, or a
  ///   `CocoaError` if the address is not that of a file.
  public convenience init<Row, Value>(of tracker: DisplayTracker<Row, Value>, to url: URL) throws {
    try self.init(of: tracker, to: url) { [] }
  }

  init<Row, Value>(
    of tracker: DisplayTracker<Row, Value>, to url: URL,
    findings: @escaping @MainActor () -> [ListFinding]
  ) throws {
    self.url = url
    self.findings = findings
    guard url.isFileURL else { throw CocoaError(.fileWriteUnsupportedScheme) }
    // A pipe has no place to seek, and no reader after a first close.
    let descriptor = open(url.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try file.write(contentsOf: Data((RecordedSetup(of: tracker).text + "\n").utf8))
    self.file = file
    tracker.recordEvents { [weak self] line in self?.write(line) }
    stopTracker = { [weak tracker] in tracker?.recordEvents(nil) }
  }

  /// Ends the recording and closes the file.
  public func stop() {
    guard file != nil else { return }
    stopTracker()
    for finding in findings() { write(Self.mark + finding.description) }
    try? file?.close()
    file = nil
  }

  package nonisolated static let mark = "# found: "

  private func write(_ line: String) {
    guard let file else { return }
    do {
      try file.write(contentsOf: Data((line + "\n").utf8))
    } catch {
      failure = error
      self.file = nil
      stopTracker()
    }
  }
}
