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

    //@ /// An app's list: pictures that are called by number and loaded as text.

    @MainActor
    struct SimulatedTests {
      //@ nonisolated static let behaviors: [ListBehavior] = [
    }

    @MainActor
    struct BudgetTests {
      //@ @Test("A fling leaves its rows blank for three seconds in all, and loads 40 of them at most")
    }

    @MainActor
    struct RandomTests {
      //@ @Test("Whatever a list does, the books are right", arguments: 0..<20 as Range<UInt64>)
    }
  }

  @MainActor
  private func gate(_ gate: LoadGate<Int, String>, _ recorder: TrackerRecorder<Int>) async {
    //@ gate.open(2, with: "2")
  }

  private func script() throws -> EventScript {
    //@ let script = try EventScript("cW[0…9] P[10…19] | c10(k) W10(k) P[20] E0(a) | +150ms |")
    return script
  }
#endif
