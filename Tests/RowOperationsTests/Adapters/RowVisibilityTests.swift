import Testing

@testable import RowOperations

extension Adapters {
  @Suite("Visibility of a row without a cell")
  struct RowVisibilityTests {
    /// Appears, Disappears, is Visible, is Hidden, and its list is Covered or Uncovered.
    @Test(
      "A row is on screen by its exact visibility, or else by its last appearance [21]",
      arguments: [
        ("", "away"), ("A", "displayed"), ("AA", "displayed"), ("AAD", "away"), ("V", "displayed"),
        ("AH", "away"), ("AHA", "away"), ("AHAV", "displayed"), ("AHDHA", "displayed"),
        ("HA", "displayed"), ("VD", "away"), ("AC", "covered"), ("CA", "covered"), ("C", "away"),
        ("ACU", "displayed"), ("AHC", "away"), ("ACD", "away"),
      ])
    func presence(events: String, presence: String) {
      var visibility = RowVisibility()
      for event in events {
        switch event {
        case "A": visibility.appeared()
        case "D": visibility.disappeared()
        case "V", "H": visibility.scrolled(isVisible: event == "V")
        default: visibility.listCovered(event == "C")
        }
      }
      #expect("\(visibility.presence)" == presence)
    }
  }
}
