import AsyncOperations
import Foundation

struct Letter: Sendable {}
struct Receipt: Sendable {}

private func deliver(_ letter: Letter) async throws -> Receipt { Receipt() }

//@ import AsyncOperations

#if canImport(PackageDescription)
  import PackageDescription

  private func packages() -> [Package.Dependency] {
    [
      //= .package(url: "<the address of this repository>", from: "0.3.0")
    ]
  }

  private func products() -> [Target.Dependency] {
    [
      //= .product(name: "AsyncOperations", package: "RowOperations")
    ]
  }
#endif
