// swift-tools-version: 6.0
import PackageDescription

// Compiles the package's own sources with a module that stands in for UIKit, or for AppKit if KIT
// says so.
let kit = Context.environment["KIT"] ?? "UIKit"

let package = Package(
  name: "StandIn",
  targets: [
    .target(name: "Kit"),
    .target(name: kit, dependencies: ["Kit"]),
    .target(name: "Network"),
    .target(name: "AsyncOperations", path: "Links/AsyncOperations"),
    .target(
      name: "RowOperations",
      dependencies: ["AsyncOperations", "Network", .init(stringLiteral: kit)],
      path: "Links/RowOperations"),
    .target(name: "RowInspector", dependencies: ["RowOperations"], path: "Links/RowInspector"),
    .target(
      name: "RowOperationsTesting", dependencies: ["RowInspector", "RowOperations"],
      path: "Links/RowOperationsTesting"),
    .target(name: "TestSupport", dependencies: ["AsyncOperations"], path: "Links/TestSupport"),
    .target(name: "AppleLists", dependencies: ["RowOperations"], path: "Links/AppleLists"),
    .testTarget(
      name: "StandInTests",
      dependencies: [
        "AppleLists", "Network", "RowOperations", "RowOperationsTesting", "TestSupport",
      ],
      path: "Tests",
      exclude: ["Traces/Recorded"],
      // Swift Testing has an overlay for the real UIKit.
      swiftSettings: [.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])]),
  ],
  swiftLanguageModes: [.v6]
)
