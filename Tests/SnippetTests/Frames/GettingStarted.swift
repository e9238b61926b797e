import Foundation
import RowOperations

#if canImport(PackageDescription)
  import PackageDescription

  private func manifest() -> Package {
    //@ // swift-tools-version: 6.0
    return package
  }
#endif

private func main() async throws {
  //@ import Foundation
}

@MainActor
private func fetching() {
  //@ let tracker = DisplayTracker<URL, Data> { try await $0.fetch($0.row) }
  tracker.removeAll()
}
