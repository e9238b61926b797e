// swift-tools-version: 6.0
import PackageDescription

// Compiles the package's own sources with a module that stands in for UIKit, or for AppKit if KIT
// says so.
let kit = Context.environment["KIT"] ?? "UIKit"
let isUIKit = kit == "UIKit"
// Thousands of lists are laid out and compared.
let optimized: [SwiftSetting] = [.unsafeFlags(["-O"])]

let package = Package(
  name: "StandIn",
  targets: [
    .target(name: "Kit", swiftSettings: optimized),
    .target(name: kit, dependencies: ["Kit"], swiftSettings: optimized),
    .target(name: "Network"),
    .target(name: "AsyncOperations", path: "Links/AsyncOperations"),
    .target(
      name: "RowOperations",
      dependencies: ["AsyncOperations", "Network", .init(stringLiteral: kit)],
      path: "Links/RowOperations"),
    .target(name: "RowInspector", dependencies: ["RowOperations"], path: "Links/RowInspector"),
    .target(
      name: "RowOperationsTesting", dependencies: ["RowInspector", "RowOperations"],
      path: "Links/RowOperationsTesting", swiftSettings: optimized),
    .target(
      name: "Proofs", dependencies: ["RowOperations", "RowOperationsTesting"],
      path: "Links/Proofs", exclude: ["README.md", "equivalent-mutants.txt"],
      swiftSettings: optimized),
    .target(name: "TestSupport", dependencies: ["AsyncOperations"], path: "Links/TestSupport"),
    .target(name: "AppleLists", dependencies: ["RowOperations"], path: "Links/AppleLists"),
    .testTarget(
      name: "StandInTests",
      dependencies: [
        "AppleLists", "Network", "Proofs", "RowOperations", "RowOperationsTesting", "TestSupport",
      ],
      path: "Tests",
      exclude: [isUIKit ? "AppKit" : "UIKit"],
      // Swift Testing has an overlay for the real UIKit.
      swiftSettings: [.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])]),
  ],
  swiftLanguageModes: [.v6]
)
