// swift-tools-version: 6.2
import PackageDescription

// A package like an app's. `.ci/consumer` copies it, sets the dependency's location and runs it.

let products = ["AsyncOperations", "RowOperations", "RowInspector", "RowOperationsTesting"]
let dependencies = products.map { Target.Dependency.product(name: $0, package: "RowOperations") }
/// Programs that depend on one product each.
let alone = zip(products, dependencies).map { product, dependency in
  Target.executableTarget(
    name: "only-\(product)", dependencies: [dependency], path: "Sources/Alone/\(product)")
}

let package = Package(
  name: "Consumer",
  platforms: [.iOS(.v16), .macOS(.v13)],
  dependencies: [
    .package(
      url: Context.environment["ROW_OPERATIONS"] ?? "",
      from: Version(Context.environment["ROW_OPERATIONS_VERSION"] ?? "") ?? "0.0.0")
  ],
  targets: [
    .target(name: "Operations", dependencies: dependencies),
    // The default of new Xcode projects.
    .target(
      name: "Screen", dependencies: dependencies,
      swiftSettings: [
        .defaultIsolation(MainActor.self),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
      ]),
    .executableTarget(name: "consumer", dependencies: ["Operations", "Screen"]),
  ] + alone
)
