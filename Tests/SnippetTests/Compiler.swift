#if os(macOS) || os(Linux)
  import Foundation

  @testable import TestSupport

  /// The compiler that is on the path, and the modules that these tests were built with.
  enum Compiler {
    struct Outcome: Sendable {
      let isSuccess: Bool
      let output: String
    }

    /// Compiles files as one module, and keeps nothing of it.
    static func compile(_ files: [URL]) async throws -> Outcome {
      try await onThread {
        Result {
          try run(
            [
              "swiftc", "-swift-version", "6", "-warnings-as-errors", "-parse-as-library",
              "-wmo", "-module-name", "Snippets", "-package-description-version", "6.0.0",
              "-emit-sil", "-o", "/dev/null",
            ] + (modules + [try manifestModules()]).flatMap { ["-I", $0.path] }
              + files.map(\.path))
        }
      }.get()
    }

    /// SwiftPM's own build system has a folder for modules; Swift Build puts them beside products.
    private static let modules: [URL] = {
      #if os(macOS)
        let products = Bundle(for: Marker.self).bundleURL.deletingLastPathComponent()
      #else
        let products = Bundle.main.bundleURL
      #endif
      return [products.appendingPathComponent("Modules"), products]
    }()

    /// Where `PackageDescription` is.
    private static func manifestModules() throws -> URL {
      let information = try run(["swiftc", "-print-target-info"]).output
      let target = try JSONDecoder().decode(Target.self, from: Data(information.utf8))
      return URL(fileURLWithPath: target.paths.runtimeResourcePath)
        .appendingPathComponent("pm/ManifestAPI")
    }

    private struct Target: Decodable {
      struct Paths: Decodable {
        let runtimeResourcePath: String
      }
      let paths: Paths
    }

    private static func run(_ arguments: [String]) throws -> Outcome {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = arguments
      let pipe = Pipe()
      process.standardOutput = pipe
      process.standardError = pipe
      try process.run()
      let output = pipe.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return Outcome(
        isSuccess: process.terminationStatus == 0, output: String(decoding: output, as: UTF8.self))
    }
  }

  #if os(macOS)
    private final class Marker {}
  #endif
#endif
