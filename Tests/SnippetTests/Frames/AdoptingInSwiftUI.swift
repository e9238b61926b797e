#if canImport(SwiftUI)
  import Foundation
  import RowOperations
  import SwiftUI

  private struct Post: Identifiable {
    let id: Int
    let picture: URL
  }

  private func preview(of picture: URL) -> URL { picture }

  private struct Feed {
    let posts: [Post]
    let pages: Pagination
  }

  private struct PostRow: View {
    let post: Post
    let tracker: DisplayTracker<URL, DecodedPicture>

    var body: some View { EmptyView() }
  }

  //@ struct Faces: EnvironmentKey {

  private struct FeedEnd: View {
    let pages: Pagination

    var body: some View { EmptyView() }
  }

  private enum Overview {
    //@ @MainActor
  }

  @MainActor
  private struct Configured: View {
    //@ @State private var tracker = {

    var body: some View { EmptyView() }
  }

  @MainActor
  private struct ConfiguredInInit: View {
    @State private var tracker: DisplayTracker<URL, DecodedPicture>

    init(_ configuration: TrackerConfiguration<URL, DecodedPicture>) {
      //@ _tracker = State(initialValue: DisplayTracker(configuration: configuration) { context in
    }

    var body: some View { EmptyView() }
  }

  @MainActor
  private struct Detail: View {
    let post: Post
    let fullSize: DisplayTracker<URL, DecodedPicture>
    let thumbnails: DisplayTracker<URL, DecodedPicture>

    var body: some View {
      //@ TrackedRow(post.picture, fullSize) { phase in
    }
  }

  @MainActor
  private struct FurtherPages: View {
    let feed: Feed
    let tracker: DisplayTracker<URL, DecodedPicture>

    var body: some View {
      //@ List {
    }
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
