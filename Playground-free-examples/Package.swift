// swift-tools-version: 6.0
import PackageDescription

let libraries = ["RowInspector", "RowOperations", "RowOperationsTesting"].map {
  Target.Dependency.product(name: $0, package: "RowOperations")
}

let package = Package(
  name: "Examples",
  platforms: [.iOS(.v16), .macOS(.v13), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  dependencies: [.package(name: "RowOperations", path: "..")],
  targets: [
    // What the commands share: their arguments, their output, and a terminal's screen.
    .target(name: "Console", path: "Console"),
    .executableTarget(
      name: "fling", dependencies: ["Console"] + libraries, path: "Fling",
      exclude: ["film.svg", "fling.svg"]),
    .executableTarget(
      name: "replay", dependencies: ["Console"] + libraries, path: "Replay",
      exclude: ["sample.recording"]),
    .executableTarget(
      name: "disk-usage", dependencies: ["Console"] + libraries, path: "DiskUsage"),
    .target(name: "AppleLists", dependencies: libraries, path: "AppleLists"),
    .testTarget(name: "ConsoleTests", dependencies: ["Console"]),
    .testTarget(name: "FlingTests", dependencies: ["fling"] + libraries),
    .testTarget(name: "ReplayTests", dependencies: ["replay"] + libraries),
    .testTarget(name: "DiskUsageTests", dependencies: ["disk-usage"] + libraries),
    .testTarget(name: "AppleListsTests", dependencies: ["AppleLists"] + libraries),
  ],
  swiftLanguageModes: [.v6]
)
