import RowOperations
import RowOperationsTesting

#if canImport(Testing)
  import Testing

  private enum Article {
    //@ /// An app's list: pictures that are called by number and loaded as text.
  }

  private typealias Gallery = Article.Gallery

  @MainActor
  private func screenless(_ tracker: DisplayTracker<Int, String>) {
    //@ let app = TrackedList(tracker) { value in Int(value.dropFirst("Picture ".count)) ?? -1 }
    list.layOut()
    //@ tracker.setOrder(list.rows)
  }

  @MainActor
  private struct SimulatedTests {
    //@ nonisolated static let behaviors: [ListBehavior] = [
  }
#endif
