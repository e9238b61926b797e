#if canImport(UIKit) && !os(watchOS)
  import RowOperations
  import UIKit

//@ import RowOperations
#endif
