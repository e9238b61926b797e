import Foundation

/// Runs this program again in valgrind's callgrind, which counts instructions.
///
/// A busy machine does not change them. All threads share one processor and take turns in order,
/// and the same hashes in each run make the same tables, so most counts repeat within 0.5 %.
enum Callgrind {
  /// The option of a run that does only some work.
  static let option = "--work"

  enum Failure: Error { case run(String) }

  /// Which instructions count.
  enum Extent {
    /// Those of all threads, from the start to the end.
    case allThreads
    /// Those of ``counted(_:)``, on the main thread.
    case mainThread
    /// Those of each call of ``counted(_:)`` by itself.
    case eachCall
  }

  /// The instructions of one row, by two runs with different numbers of rows.
  ///
  /// Work that a run does once does not count.
  static func perRow(
    _ work: CountedWork, _ extent: Extent, few: Int = 1000, many: Int = 3000
  ) throws -> Double {
    (try count(work, many, extent) - count(work, few, extent)) / Double(many - few)
  }

  static func count(_ work: CountedWork, _ rows: Int, _ extent: Extent) throws -> Double {
    try run([work.rawValue, "\(rows)"], extent)[0]
  }

  /// - Returns: The instructions of all, or of each call, for which the program prints a line.
  static func run(_ arguments: [String], _ extent: Extent) throws -> [Double] {
    let manager = FileManager.default
    let folder = manager.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try manager.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? manager.removeItem(at: folder) }
    let (file, log) = ("\(folder.path)/count", "\(folder.path)/log")
    // The name of `callCounted()` in the program.
    let function = "$s14BenchmarkSuite11callCountedyyF"
    var options = [
      "--fair-sched=yes", "--tool=callgrind", "--callgrind-out-file=\(file)", "--log-file=\(log)",
    ]
    if extent != .allThreads {
      options += ["--collect-atstart=no", "--toggle-collect=\(function)"]
    }
    if extent == .eachCall { options.append("--dump-after=\(function)") }
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["SWIFT_DETERMINISTIC_HASHING=1", "taskset", "-c", try processor, "valgrind"] + options
      + [CommandLine.arguments[0], option] + arguments
    process.standardOutput = output
    try process.run()
    let text = String(
      decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure.run((try? String(contentsOfFile: log, encoding: .utf8)) ?? "No valgrind here.")
    }
    let dumps = text.split(separator: "\n").indices.map { "\(file).\($0 + 1)" }
    return try (extent == .eachCall ? dumps : [file]).map(total)
  }

  private static func total(of file: String) throws -> Double {
    let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    let total = lines.first { $0.hasPrefix("summary:") || $0.hasPrefix("totals:") }
    guard let words = total?.split(separator: " "), let count = Double(words[1]) else {
      throw Failure.run("There are no instructions in \(file).")
    }
    return count
  }

  /// A processor that this program may use.
  private static var processor: String {
    get throws {
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let line = status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") }
      let number = line?.split { !$0.isNumber }.last
      return number.map(String.init) ?? "0"
    }
  }
}

/// Performs a call whose instructions callgrind counts.
@MainActor
func counted(_ call: @escaping @MainActor () -> Void) {
  countedCall = call
  callCounted()
}

@MainActor private var countedCall: @MainActor () -> Void = {}

/// The function whose instructions callgrind counts.
@MainActor
@inline(never)
func callCounted() {
  countedCall()
  // Without it the call would be a jump, and callgrind would not see the function end.
  countedCall = {}
}
