#if canImport(SwiftUI)
  import ImageIO
  import RowOperations
  import SwiftUI

  /// A whole feed: pictures with previews, progress, failures with a button, refresh, avatars that
  /// come from the environment, and a sheet with one picture.
  ///
  /// The posts are made up. For pages of a server, take a `Pagination`.
  ///
  /// In a project on the main actor by default, as a new one of Xcode 26 is, write `nonisolated`
  /// before `Author`, `FeedPost` and `decode`.
  @MainActor
  struct Feed: View {
    @State private var posts = FeedPost.page(after: 0)
    @State private var opened: FeedPost?
    @State private var avatars = DisplayTracker<Author, CGImage> { context in
      try decode(await context.fetch(context.row.picture))
    }
    @State private var tracker = DisplayTracker<FeedPost, CGImage> { context in
      if let small = try? decode(await context.fetch(context.row.preview)) { context.show(small) }
      let data = try await context.fetch(context.row.picture)
      return try await context.stage(.decode) { try decode(data) }
    }

    var body: some View {
      List(posts) { post in
        PostRow(post: post, tracker: tracker)
          // The row may appear again and again.
          .onAppear { if posts.last == post { posts += FeedPost.page(after: posts.count) } }
          .onTapGesture { opened = post }
      }
      .trackedRows(posts, tracker)
      .refreshable { await tracker.refresh(posts) }
      .environment(\.avatars, avatars)
      .sheet(item: $opened) { PostDetail(post: $0, tracker: tracker) }
    }
  }

  /// A picture on a screen of its own, which shares the value and the load of its row in the feed.
  @MainActor
  private struct PostDetail: View {
    let post: FeedPost
    let tracker: DisplayTracker<FeedPost, CGImage>
    @State private var phase = RowPhase<CGImage>.idle

    var body: some View {
      ZStack {
        if let picture = phase.value { Image(decorative: picture, scale: 1).resizable() }
        if let progress = phase.progress { ProgressView(value: progress) }
      }
      .task(id: post) {
        // Its phases claim no row, so it is prefetched.
        tracker.prefetch([post])
        for await phase in tracker.phases(of: post) { self.phase = phase }
        tracker.cancelPrefetch([post])
      }
    }
  }

  @MainActor
  private struct PostRow: View {
    let post: FeedPost
    let tracker: DisplayTracker<FeedPost, CGImage>

    var body: some View {
      VStack(alignment: .leading) {
        AuthorLabel(author: post.author)
        TrackedRow(post, tracker) { phase in
          // A placeholder of the picture's size, so that few rows fill the screen.
          Color.gray.opacity(0.2).aspectRatio(1.5, contentMode: .fit)
            .overlay {
              phase.value.map { Image(decorative: $0, scale: 1).resizable().scaledToFill() }
            }
            .clipped()
            .overlay {
              if let progress = phase.progress { ProgressView(value: progress).padding() }
              if phase.error != nil {
                Button("Try again") { tracker.retry(post) }.buttonStyle(.borderless)
              }
            }
        }
      }
    }
  }

  /// Deep in a row: its tracker comes from the environment.
  @MainActor
  private struct AuthorLabel: View {
    let author: Author
    @Environment(\.avatars) private var avatars

    var body: some View {
      HStack {
        if let avatars {
          TrackedRow(author, avatars) { phase in
            Circle().fill(.gray.opacity(0.2))
              .overlay { phase.value.map { Image(decorative: $0, scale: 1).resizable() } }
              .frame(width: 32, height: 32)
          }
        }
        Text(author.name)
      }
    }
  }

  private struct AvatarsKey: EnvironmentKey {
    static let defaultValue: DisplayTracker<Author, CGImage>? = nil
  }

  extension EnvironmentValues {
    fileprivate var avatars: DisplayTracker<Author, CGImage>? {
      get { self[AvatarsKey.self] }
      set { self[AvatarsKey.self] = newValue }
    }
  }

  struct Author: Hashable, Sendable {
    let name: String
    let picture: URL
  }

  struct FeedPost: Hashable, Identifiable, Sendable {
    let id: Int
    let author: Author
    let picture: URL
    let preview: URL

    /// Ten more posts.
    static func page(after count: Int) -> [FeedPost] {
      guard let origin = URL(string: "https://example.com/feed") else { return [] }
      return (count..<count + 10).map { id in
        let author = Author(
          name: "Author \(id % 7)", picture: origin.appendingPathComponent("author/\(id % 7)"))
        return FeedPost(
          id: id, author: author, picture: origin.appendingPathComponent("\(id)"),
          preview: origin.appendingPathComponent("\(id)/preview"))
      }
    }
  }

  /// `CGImage` may be sent between threads, and is the same on all systems; `NSImage` may not.
  private func decode(_ data: Data) throws -> CGImage {
    guard let source = CGImageSourceCreateWithData(data as CFData, nil),
      let image = CGImageSourceCreateThumbnailAtIndex(
        source, 0,
        [
          kCGImageSourceCreateThumbnailFromImageAlways: true,
          kCGImageSourceThumbnailMaxPixelSize: 1_200,
        ] as CFDictionary)
    else { throw CocoaError(.fileReadCorruptFile) }
    return image
  }
#endif
