import Foundation
import RowOperations
import RowOperationsTesting

#if canImport(PackageDescription)
  import PackageDescription

  private func targets() -> [Target] {
    [
      //= .testTarget(
    ]
  }
#endif

#if canImport(Testing)
  import Testing

  private enum Article {
    //@ import RowOperations
  }

  @MainActor
  private func gate(_ gate: LoadGate<Int, String>, _ recorder: TrackerRecorder<Int>) async {
    //@ gate.open(2, with: "2")
  }
#endif
