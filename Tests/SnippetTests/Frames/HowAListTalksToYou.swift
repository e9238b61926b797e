#if canImport(UIKit) && !os(watchOS)
  import RowOperations
  import UIKit

  private final class CoveredViewController: UITableViewController {
    let tracker = DisplayTracker<Int, String> { "\($0.row)" }

    //@ override func viewDidAppear(_ animated: Bool) {
  }
#endif

#if canImport(SwiftUI)
  import RowOperations
  import SwiftUI

  private enum Rows {
    //@ @MainActor
  }
#endif
