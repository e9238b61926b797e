#if canImport(UIKit) && !os(watchOS)
  import RowOperations
  import UIKit

  private enum Overview {
    //@ import RowOperations
  }

  private func downloadTitle(of id: Int) async throws -> String { "\(id)" }
#endif
