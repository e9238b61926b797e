import Foundation
import RowOperations

private struct Photo: Identifiable {
  let id: Int
}
private struct UIImage: Sendable {}
private struct Thumbnail: Sendable {
  let byteCount: Int
}

@MainActor
private final class PhotoCell {
  final class Picture {
    var image: UIImage?
  }

  let picture = Picture()
  var shownRow: Photo.ID?

  func show(_ image: UIImage) {}
}

private func download(_ id: Photo.ID) async throws -> Data { Data() }
private func decode(_ data: Data) throws -> UIImage { UIImage() }
private func hash(_ bytes: [UInt8]) throws -> Int { bytes.count }

// MARK: Updates

@MainActor
private func update(_ photo: Photo, _ cell: PhotoCell, _ queue: OperationQueue) {
  //@ let operation = UpdateOperation(
}

private func preview(of id: Photo.ID) async throws -> UIImage { UIImage() }
private func picture(of id: Photo.ID) async throws -> UIImage { UIImage() }

private func steps(_ context: UpdateContext<Photo.ID, UIImage>) async throws -> UIImage {
  //@ context.show(try await preview(of: context.row))
}

private func stage(_ context: UpdateContext<Int, Int>, _ bytes: [UInt8]) async throws -> Int {
  //@ let digest = try await context.stage("digest") { try hash(bytes) }
  return digest
}

// MARK: Batches

private struct Person: Identifiable, Sendable {
  let id: Int
}

private struct API: Sendable {
  func people(_ ids: [Person.ID]) async throws -> [Person.ID: Person] { [:] }
}

private let api = API()

@MainActor
private func batches() {
  //@ let people = DisplayTracker<Person.ID, Person>(batchesOf: 50) { batch in
  people.removeAll()
}

@MainActor
private func shortBatches() {
  //@ let people = DisplayTracker<Person.ID, Person>(batchesOf: 50) {
  people.removeAll()
}

// MARK: Pages

private struct FeedPage: Sendable {
  let posts: [Photo.ID]
  let next: String?
}

private func feed(after cursor: String?) async throws -> FeedPage {
  FeedPage(posts: [], next: nil)
}

@MainActor
private final class Controller {
  struct Tracking {
    var pages: [Pagination] = []
  }

  var pages: Pagination?
  var tracking = Tracking()

  func show(_ posts: [Photo.ID], replacesAll: Bool) {}

  func load() {
    let pages: Pagination
    //@ pages = Pagination { cursor in
    self.pages = pages
  }
}

// MARK: Live rows

private struct Stock: Identifiable { let id: String }
private struct Quote: Sendable {}
private struct Chat: Identifiable { let id: Int }

private struct Quotes: Sendable {
  func quote(_ stock: Stock.ID) async throws -> Quote { Quote() }
  func quotes(_ stock: Stock.ID) -> AsyncStream<Quote> { AsyncStream { _ in } }
}

private struct Database: Sendable {
  func unread(_ chat: Chat.ID) -> AsyncStream<Int> { AsyncStream { _ in } }
}

@MainActor
private func live(_ api: Quotes, _ socket: Quotes) {
  //@ let quotes = DisplayTracker<Stock.ID, Quote>(
  quotes.removeAll()
}

@MainActor
private func live(_ database: Database) {
  //@ let unread = DisplayTracker<Chat.ID, Int>(updates: { database.unread($0.row) })
  unread.removeAll()
}

// MARK: Trackers

@MainActor
private func tracker(_ photo: Photo, _ cell: PhotoCell) {
  //@ let tracker = DisplayTracker<Photo.ID, UIImage> { context in
}

@MainActor
private func loading() {
  //@ let tracker = DisplayTracker<URL, UIImage> { context in
  tracker.removeAll()
}

@MainActor
private func closure() {
  //@ let tracker = DisplayTracker<Photo.ID, UIImage> { context in
  tracker.removeAll()
}

@MainActor
private func record(_ tracker: DisplayTracker<Int, String>) {
  //@ tracker.recordEvents { line in print(line) }
}

@MainActor
private func explain(_ tracker: DisplayTracker<Int, String>, _ photo: Photo) {
  //@ print(tracker.explain(photo.id))
}

@MainActor
private func measure(_ tracker: DisplayTracker<Int, String>, _ fling: () -> Void) {
  //@ let before = tracker.metrics
}

private func retries(_ configuration: inout TrackerConfiguration<Int, String>) {
  //@ configuration.retry = .backoff(.exponential(from: .milliseconds(200), limit: 4))
}

private func errors(_ configuration: inout TrackerConfiguration<Int, String>) {
  //@ configuration.shouldRetry = { !($0 is DecodingError) }
}

@MainActor
private final class Analytics {
  func saw(_ id: Photo.ID) {}
}

@MainActor
private func impressions(
  _ configuration: inout TrackerConfiguration<Photo.ID, String>, _ analytics: Analytics
) {
  //@ configuration.onImpression = { id in analytics.saw(id) }
}

@MainActor
private func configuration() -> TrackerConfiguration<Photo.ID, Thumbnail> {
  //@ var configuration = TrackerConfiguration<Photo.ID, Thumbnail>()
  return configuration
}

private struct Poster {
  let picture: Data
}

//@ extension Poster: MemoryCosting {

@MainActor
private func slots(
  _ avatars: inout TrackerConfiguration<Int, String>,
  _ pictures: inout TrackerConfiguration<Int, String>
) {
  //@ let slots = UpdateSlots(6)
}

private func limits(_ configuration: inout TrackerConfiguration<Int, String>) {
  //@ configuration.slots = UpdateSlots(8, stageLimits: [.decode: 2])
}

private func distance() -> Double {
  //@ Deceleration.normal.distance(velocity: 2)  // about 993 points
}

#if canImport(SwiftUI)
  import SwiftUI

  private struct ThumbnailView: View {
    let image: UIImage?
    let isFailed: Bool

    var body: some View { EmptyView() }
  }

  @MainActor
  private struct Rows: View {
    let photos: [Photo]
    let tracker: DisplayTracker<Photo.ID, UIImage>

    var body: some View {
      //@ List(photos) { photo in
    }
  }

  @MainActor
  private struct Paged: View {
    struct Post: Identifiable {
      let id: Int
      let picture: Photo.ID
    }

    struct Feed {
      let posts: [Post]
      let pages: Pagination
    }

    struct PostRow: View {
      let post: Post
      let tracker: DisplayTracker<Photo.ID, UIImage>

      var body: some View { EmptyView() }
    }

    let feed: Feed
    let tracker: DisplayTracker<Photo.ID, UIImage>

    var body: some View {
      //@ List(feed.posts) { PostRow(post: $0, tracker: tracker) }
    }
  }

  @MainActor
  private struct SearchedList: View {
    struct Feed {
      let pages: Pagination
    }

    let feed: Feed
    let isSearching: Bool
    let list = EmptyView()

    var body: some View {
      //@ list.pagination(isSearching ? [] : [feed.pages])
    }
  }

  @MainActor
  private struct WithAvatars: View {
    struct Author {
      let avatar: URL
    }

    struct Post: Identifiable {
      let id: Int
      let picture: Photo.ID
      let author: Author
    }

    struct PostRow: View {
      let post: Post
      let pictures: DisplayTracker<Photo.ID, UIImage>
      let avatars: DisplayTracker<URL, UIImage>

      var body: some View { EmptyView() }
    }

    let posts: [Post]
    let pictures: DisplayTracker<Photo.ID, UIImage>
    let avatars: DisplayTracker<URL, UIImage>

    var body: some View {
      //@ List(posts) { PostRow(post: $0, pictures: pictures, avatars: avatars) }
    }
  }

  @MainActor
  private struct Reporting: View {
    let photos: [Photo]
    let tracker: DisplayTracker<Photo.ID, String>

    var body: some View {
      //@ List(photos) { photo in TrackedRow(photo.id, tracker) { Text($0.value ?? "…") } }
    }
  }
#endif

#if canImport(UIKit) && !os(watchOS)
  import UIKit

  private struct Picture: Identifiable {
    let id: Int
  }

  private final class TitleCell: UITableViewCell {
    let picture = UIImageView()

    func show(_ title: String?) { textLabel?.text = title }
  }

  @MainActor
  private final class PostList {
    struct Post {
      let avatar: URL
    }

    struct Feed {
      func post(_ id: Int) -> Post { Post(avatar: URL(fileURLWithPath: "/\(id)")) }
    }

    let feed = Feed()

    func add(_ avatars: DisplayTracker<URL, UIImage>, to tracking: ListTracking) {
      let feed = feed
      //@ tracking.add(avatars, rows: { id in [feed.post(id).avatar] })
    }
  }

  @MainActor
  private final class TitleList {
    let ids = Array(0..<100)
    let tracker = DisplayTracker<Int, String> { "\($0.row)" }

    func fill(_ tableView: UITableView, _ cell: TitleCell, at path: IndexPath) {
      //@ tracker.bind(cell, to: ids[path.row]) { $0.show($1.value) }  // where cells are provided
    }
  }

  @MainActor
  private func fade(
    _ cell: TitleCell, photo: Picture, tracker: DisplayTracker<Int, UIKit.UIImage>
  ) {
    //@ tracker.bind(cell, to: photo.id) { cell, phase, moment in
  }

  @MainActor
  private func decodedPictures() {
    //@ let pictures = DisplayTracker<URL, DecodedPicture> { context in
    pictures.removeAll()
  }
#endif
