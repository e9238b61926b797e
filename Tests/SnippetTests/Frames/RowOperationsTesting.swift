import RowOperations
import RowOperationsTesting

#if canImport(Testing)
  import Testing

  @MainActor
  private func overview() throws {
    //@ let clock = ManualClock()
  }
#endif
