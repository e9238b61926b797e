#if canImport(SwiftUI)
  import Foundation
  import RowOperations
  import SwiftUI

  private struct Post: Identifiable, Sendable {
    let id: Int
    let picture: URL
  }

  private struct FeedPage: Sendable {
    let posts: [Post]
    let next: String?
  }

  private func feed(after cursor: String?) async throws -> FeedPage {
    FeedPage(posts: [], next: nil)
  }

  private enum Overview {
    //@ @MainActor
  }

  private enum End {
    //@ @MainActor
  }
#endif
