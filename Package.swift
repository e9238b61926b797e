// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "RowOperations",
  platforms: [.iOS(.v16), .macOS(.v13), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [
    .library(name: "AsyncOperations", targets: ["AsyncOperations"]),
    .library(name: "RowOperations", targets: ["RowOperations"]),
    .library(name: "RowInspector", targets: ["RowInspector"]),
    .library(name: "RowOperationsTesting", targets: ["RowOperationsTesting"]),
  ],
  targets: [
    .target(name: "AsyncOperations", exclude: ["README.md"]),
    .target(
      name: "RowOperations", dependencies: ["AsyncOperations"],
      exclude: ["Engine/README.md", "Engine/Pages"]),
    .target(name: "RowInspector", dependencies: ["RowOperations"]),
    .target(name: "RowOperationsTesting", dependencies: ["RowOperations"]),
    .executableTarget(
      name: "fling",
      dependencies: ["RowInspector", "RowOperations", "RowOperationsTesting"],
      path: "Playground-free-examples/Fling",
      exclude: ["film.svg", "fling.svg"]),
    .executableTarget(
      name: "replay",
      dependencies: ["RowInspector", "RowOperations", "RowOperationsTesting"],
      path: "Playground-free-examples/Replay"),
    .executableTarget(
      name: "disk-usage",
      dependencies: ["RowOperations"],
      path: "Playground-free-examples/DiskUsage",
      exclude: ["disk-usage.svg"]),
    .target(
      name: "Proofs",
      dependencies: ["RowOperations", "RowOperationsTesting"],
      path: "Tests/Proofs",
      exclude: ["README.md"]),
    .executableTarget(
      name: "benchmarks",
      dependencies: ["Proofs", "RowOperations", "RowOperationsTesting", "TestSupport"],
      path: "Playground-free-examples/Benchmarks",
      exclude: ["costs.svg"]),
    .target(
      name: "AppleLists",
      dependencies: ["RowInspector", "RowOperations"],
      path: "Playground-free-examples/AppleLists"),
    .target(name: "TestSupport", dependencies: ["AsyncOperations"], path: "Tests/TestSupport"),
    .testTarget(
      name: "AsyncOperationsTests",
      dependencies: ["AsyncOperations", "RowOperations", "RowOperationsTesting", "TestSupport"]),
    .testTarget(
      name: "RowOperationsTests",
      dependencies: ["Proofs", "RowOperations", "RowOperationsTesting", "TestSupport"]),
    .testTarget(
      name: "RowInspectorTests",
      dependencies: ["replay", "RowInspector", "RowOperations", "RowOperationsTesting"]),
    .testTarget(
      name: "RowOperationsTestingTests", dependencies: ["RowOperations", "RowOperationsTesting"]),
    .testTarget(
      name: "FlingFilmTests", dependencies: ["fling", "RowOperations"]),
    .testTarget(
      name: "DiskUsageTests",
      dependencies: ["disk-usage", "RowOperations", "RowOperationsTesting", "TestSupport"]),
    .testTarget(name: "FlingCommandTests", dependencies: ["fling", "RowOperations"]),
    .testTarget(
      name: "AppleListsTests",
      dependencies: ["AppleLists", "RowOperations", "RowOperationsTesting"]),
    // On macOS; those for iOS run in RowsApp.
    .testTarget(name: "AppleTests", dependencies: ["RowOperations"]),
    .testTarget(
      name: "SnippetTests",
      dependencies: [
        "AsyncOperations", "RowInspector", "RowOperations", "RowOperationsTesting", "TestSupport",
      ],
      exclude: ["Frames"]),
  ],
  swiftLanguageModes: [.v6]
)
