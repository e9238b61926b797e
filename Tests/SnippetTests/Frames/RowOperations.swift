#if canImport(UIKit) && !os(watchOS)
  import RowOperations
  import UIKit

  private enum Overview {
    //@ import RowOperations
  }
#endif
