import RowOperations
import RowOperationsTesting

#if canImport(Testing)
  import Testing

  @MainActor
  private final class Gallery {
    let tracker: DisplayTracker<Int, String>

    init(
      configuration: TrackerConfiguration<Int, String>,
      load: @escaping @Sendable (UpdateContext<Int, String>) async throws -> String
    ) {
      tracker = DisplayTracker(configuration: configuration, update: load)
    }

    func handle(_ event: ListEvent<Int>) {}
  }

  @MainActor
  private struct BudgetTests {
    //@ @Test("A fling leaves its rows blank for three seconds in all and loads 40 of them at most")
  }
#endif
