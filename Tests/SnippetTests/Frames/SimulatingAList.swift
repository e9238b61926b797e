import RowOperations
import RowOperationsTesting

#if canImport(Testing)
  import Testing

  private enum Article {
    //@ /// An app's list: pictures that are called by number and loaded as text.
  }

  private typealias Gallery = Article.Gallery

  @MainActor
  private struct SimulatedTests {
    //@ nonisolated static let behaviors: [ListBehavior] = [
  }
#endif
