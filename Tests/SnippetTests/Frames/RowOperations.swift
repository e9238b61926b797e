#if canImport(UIKit) && !os(watchOS)
  import RowOperations
  import UIKit

  // AdoptingInUIKit.swift declares `downloadTitle(of:)`.

  @MainActor
  private final class Overview {
    let tableView = UITableView()
    let ids = Array(1...10_000)

    //@ let tracker = DisplayTracker<Int, String> { try await downloadTitle(of: $0.row) }
  }
#endif
