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

  private struct PostRow: View {
    let post: Post
    let tracker: DisplayTracker<URL, DecodedPicture>

    var body: some View { EmptyView() }
  }

  private enum Overview {
    //@ @MainActor
  }

  private enum End {
    //@ @MainActor
  }

  @MainActor
  private struct FeedList: View {
    @ObservedObject var feed: Overview.Feed
    let tracker: DisplayTracker<URL, DecodedPicture>

    var body: some View {
      //@ List(feed.posts) { PostRow(post: $0, tracker: tracker) }
    }
  }
#endif
