import Foundation
import RowOperations

#if canImport(PackageDescription)
  import PackageDescription

  private func dependencies() -> [Package.Dependency] {
    [
      //= .package(url: "<the address of this repository>", from: "0.3.0")
    ]
  }
#endif

#if canImport(SwiftUI)
  import SwiftUI

  private enum FirstSight {
    //@ import RowOperations
  }
#endif

#if canImport(UIKit) && !os(watchOS)
  import UIKit

  private enum SecondSight {
    //@ import RowOperations
  }
#endif
