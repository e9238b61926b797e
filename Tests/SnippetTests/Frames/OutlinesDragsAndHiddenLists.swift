#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  import AppKit
  import RowOperations

  private final class Item: Identifiable {
    let id = 1
  }

  @MainActor
  private final class Outline {
    let outline = NSOutlineView()
    let tracker = DisplayTracker<Int, String> { "\($0.row)" }

    //@ func track() {
  }
#endif
