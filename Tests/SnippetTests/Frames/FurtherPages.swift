#if canImport(SwiftUI)
  import Foundation
  import RowOperations
  import SwiftUI

  private struct Post: Identifiable, Sendable {
    let id: Int
    let picture: URL
  }

  private func loadPage(after cursor: String?) async throws -> Pages.FeedPage {
    Pages.FeedPage(posts: [], next: nil)
  }

  private enum Overview {
    //@ @MainActor
  }

  private enum Pages {
    //@ struct FeedPage: Sendable {
  }

  private typealias FeedModel = Overview.FeedModel

  private struct PostRow: View {
    let post: Post
    let tracker: DisplayTracker<URL, DecodedPicture>

    var body: some View { EmptyView() }
  }

  private enum Lists {
    //@ @MainActor
  }

  private enum End {
    //@ @MainActor
  }

  private typealias FeedEnd = End.FeedEnd

  @MainActor
  private final class Footer {
    func show(_ phase: Pagination.Phase) {}
  }

  @MainActor
  private func end(_ footer: Footer, _ feed: FeedModel) {
    //@ footer.show(feed.pages.phase)
  }

  @MainActor
  private struct SearchedList: View {
    let feed: FeedModel
    let isSearching: Bool
    let list = EmptyView()

    var body: some View {
      //@ list.pagination(isSearching ? [] : [feed.pages])
    }
  }

  private struct Chat {
    let messages: [Post]
    let pages: Pagination
  }

  private struct MessageRow: View {
    let message: Post
    let tracker: DisplayTracker<URL, DecodedPicture>

    var body: some View { EmptyView() }
  }

  @MainActor
  private struct ChatList: View {
    let chat: Chat
    let tracker: DisplayTracker<URL, DecodedPicture>

    var body: some View {
      //@ ScrollView {
    }
  }
#endif

#if canImport(Testing)
  import Foundation
  import RowOperations
  import RowOperationsTesting
  import Testing

  private struct TestedFeed {
    let posts: [(id: Int, picture: URL)]
    let pages: Pagination
  }

  @MainActor
  private func test(_ feed: TestedFeed) async {
    //@ let list = ListSimulator<URL>(rows: [], viewport: 600) { _ in }
  }
#endif
