import RowInspector
import RowOperations

@MainActor
private func inspect(_ tracker: DisplayTracker<Int, String>) {
  //@ let inspector = ListInspector(tracker)
}
