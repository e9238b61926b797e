#if canImport(UIKit) && !os(watchOS)
  import RowOperations
  import UIKit

  @MainActor
  private func record(_ tracking: ListTracking) {
    //@ tracking.recordEvents { line in print(line) }
    //@ tracking.recordTrace { line in print(line) }
  }
#endif
