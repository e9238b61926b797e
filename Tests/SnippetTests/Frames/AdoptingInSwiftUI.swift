#if canImport(SwiftUI)
  import CoreGraphics
  import Foundation
  import RowOperations
  import SwiftUI

  private struct Post: Identifiable {
    let id: Int
    let picture: URL
  }

  private func preview(of picture: URL) -> URL { picture }
  private func picture(from data: Data) throws -> CGImage { throw URLError(.cannotDecodeRawData) }

  //@ struct Faces: EnvironmentKey { static let defaultValue: DisplayTracker<URL, CGImage>? = nil }

  private enum Overview {
    //@ @MainActor
  }

  #if canImport(_Concurrency, _version: 5.9)
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @MainActor
    private struct Pages: View {
      let ids: [Int]
      let tracker: DisplayTracker<Int, String>
      var stack: some View { EmptyView() }

      var body: some View {
        //@ ScrollView { stack }.trackedRows(ids, tracker, behavior: .paging)
      }
    }
  #endif
#endif
