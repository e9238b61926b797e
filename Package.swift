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
    .target(name: "RowOperationsTesting", dependencies: ["RowInspector", "RowOperations"]),
    // Without tests: it needs what is not public, and its users are tests.
    .testTarget(
      name: "Proofs",
      dependencies: ["RowOperations", "RowOperationsTesting"],
      path: "Tests/Proofs",
      exclude: ["README.md", "equivalent-mutants.txt"]),
    .target(
      name: "BenchmarkSuite",
      dependencies: ["RowOperations", "RowOperationsTesting", "TestSupport"],
      path: "Tests/Benchmarks",
      exclude: ["Command", "Worlds/Recordings"]),
    .executableTarget(
      name: "benchmarks",
      dependencies: [
        .target(name: "BenchmarkSuite", condition: .when(platforms: [.linux, .macOS]))
      ],
      path: "Tests/Benchmarks/Command"),
    .target(name: "TestSupport", dependencies: ["AsyncOperations"], path: "Tests/TestSupport"),
    .testTarget(name: "AsyncOperationsTests", dependencies: ["AsyncOperations", "TestSupport"]),
    .testTarget(
      name: "RowOperationsTests",
      dependencies: ["Proofs", "RowOperations", "RowOperationsTesting", "TestSupport"]),
    .testTarget(
      name: "RowInspectorTests",
      dependencies: ["RowInspector", "RowOperations", "RowOperationsTesting"]),
    .testTarget(
      name: "RowOperationsTestingTests",
      dependencies: ["Proofs", "RowOperations", "RowOperationsTesting", "TestSupport"]),
    // On macOS; those for iOS run in RowsApp.
    .testTarget(name: "AppleTests", dependencies: ["RowOperations"]),
    .testTarget(
      name: "SnippetTests",
      dependencies: [
        "AsyncOperations", "RowInspector", "RowOperations", "RowOperationsTesting", "TestSupport",
      ],
      exclude: ["Prelude"]),
  ],
  swiftLanguageModes: [.v6]
)
