import RowOperations
import RowOperationsTesting

private func script() throws -> EventScript {
  //@ let script = try EventScript("cW[0…9] P[10…19] | c10(k) W10(k) P[20] E0(a) | +150ms |")
  return script
}

#if canImport(Testing)
  import Testing

  private enum Article {
    @MainActor
    struct RandomTests {
      //@ @Test("Whatever a list does, the checks hold", arguments: 0..<20 as Range<UInt64>)
    }
  }
#endif
