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
  private typealias FeedPage = Pages.FeedPage

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

  @MainActor
  private struct FeedModel {
    let posts: [(id: Int, picture: URL)] = []
    let pages: Pagination

    init(load: @escaping @Sendable (String?) async throws -> [URL]) {
      pages = Pagination {
        try await load($0)
      } receive: { _, _ in
        nil
      }
    }
  }

  private func page(after cursor: String?) -> [URL] { [] }

  @MainActor
  private func test() async {
    //@ let feed = FeedModel { page(after: $0) }
  }
#endif
