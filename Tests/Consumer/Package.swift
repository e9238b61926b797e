// swift-tools-version: 6.2
import PackageDescription

// A package as an app has it. `.ci/consumer` copies it, says where the dependency is, and runs it.

let products = ["AsyncOperations", "RowOperations", "RowOperationsTesting"]
let dependencies = products.map { Target.Dependency.product(name: $0, package: "RowOperations") }

let package = Package(
  name: "Consumer",
  platforms: [.iOS(.v16), .macOS(.v13)],
  dependencies: [
    .package(url: Context.environment["ROW_OPERATIONS"] ?? "", branch: "main")
  ],
  targets: [
    .target(name: "Operations", dependencies: dependencies),
    // As new Xcode projects have it.
    .target(
      name: "Screen", dependencies: dependencies,
      swiftSettings: [
        .defaultIsolation(MainActor.self),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
      ]),
    .executableTarget(name: "consumer", dependencies: ["Operations", "Screen"]),
  ]
)
