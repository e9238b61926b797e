import Foundation
import RowInspector
import RowOperations

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// Names that texts about rows leave to their readers.

/// The controller or model that a text is about: `self`, in its statements.
@MainActor
class Article {
  let ids = Array(1...10)
  let order = Array(1...10)
  let posts: [Post] = []
  var doctor = ListDoctor<Photo.ID>()
  var recording: ListRecording?

  func show(_ rows: [Photo.ID], replacesAll: Bool) {}
}

struct Post: Hashable, Identifiable, Sendable {
  struct Author: Hashable, Sendable {
    let avatar: URL
  }

  let id: Int
  let author: Author
  let picture: URL
  let pictures: [URL]
  var avatar: URL { author.avatar }
}

struct Person: Codable, Identifiable, Sendable {
  let id: Int
  let name: String
}

struct Poster: Sendable {
  let picture: Data
}

struct Quote: Sendable {}
struct Score: Sendable {}
struct Stock: Identifiable { let id: String }
struct Chat: Identifiable { let id: Int }
struct Match: Identifiable { let id: Int }

struct API: Sendable {
  func people(_ ids: [Person.ID]) async throws -> [Person.ID: Person] { [:] }
  func quote(of stock: Stock.ID) async throws -> Quote { Quote() }
  func score(of match: Match.ID) async throws -> Score { Score() }
}

struct Socket: Sendable {
  func subscribe(to stock: Stock.ID, _ receive: @escaping @Sendable (Quote) -> Void) -> Int { 0 }
  func unsubscribe(_ id: Int) {}
  func quotes(of stock: Stock.ID) -> AsyncStream<Quote> { AsyncStream { _ in } }
}

struct Database: Sendable {
  func unread(in chat: Chat.ID) -> AsyncStream<Int> { AsyncStream { _ in } }
}

struct Message: Identifiable, Sendable { let id: String }

struct BusyError: Error { let wait: Duration }

struct Disk: Sendable {
  func thumbnail(of id: Photo.ID) async -> Thumbnail? { nil }
}

actor PhotoStore {
  func data(of id: Photo.ID) async throws -> Data { Data() }
  nonisolated func contains(_ id: Photo.ID) -> Bool { true }
}

struct Positions: Sendable {
  let rows: [Int]
  let next: String?
}

struct Path {
  let row: Int

  init(row: Int, section: Int) { self.row = row }
}

#if !canImport(UIKit)
  typealias IndexPath = Path
#endif

@MainActor
final class Analytics {
  func saw(_ id: Int) {}
}

@MainActor
final class PhotoCell {
  final class Label {
    var text: String?
  }

  final class Button {
    var isHidden = true
  }

  #if canImport(UIKit) && !os(watchOS)
    typealias Display = UIImageView
  #else
    final class Display {
      var image: UIImage?
    }
  #endif

  let title = Label()
  let retryButton = Button()
  let picture = Display()
  let width = 320.0
  var photoID: Photo.ID?
  var name: String?

  func setHeight(_ height: Double) {}
  func show(_ text: String?) {}
  func show(_ thumbnail: Thumbnail?) {}
  func fade() {}
  func pause() {}
  func play(_ text: String?) {}
}

@MainActor
final class PictureCell {
  func show(_ picture: DecodedPicture?) {}
}

@MainActor
final class CarouselCell {}

@MainActor
final class Footer {
  func show(_ phase: Pagination.Phase) {}
}

final class Tile {
  func draw(_ picture: Thumbnail?) {}
}

let api = API()
let socket = Socket()
let database = Database()
let disk = Disk()
let store = PhotoStore()
let bytes: [UInt8] = []
let expired: [Post.ID] = []
let positions: [Photo.ID: Int] = [:]
let person = Person(id: 1, name: "")
let path = IndexPath(row: 0, section: 0)
let context = UpdateContext<Int, String>(token: RowToken(row: 1, generation: 1))
@MainActor let cell = PhotoCell()
@MainActor let footer = Footer()
@MainActor let analytics = Analytics()
@MainActor var configuration = TrackerConfiguration<Int, String>()
@MainActor let tracker = DisplayTracker<Int, String> { "\($0.row)" }
@MainActor let messages = DisplayTracker<Message.ID, String> { $0.row }
@MainActor let people = DisplayTracker<Person.ID, Person> { Person(id: $0.row, name: "") }
@MainActor let pages = Pagination(load: { (_: Int?) in [0] }, receive: { _, _ in nil })

func host(of id: Int) -> String? { nil }
func download(_ id: Photo.ID) async throws -> Data { Data() }
func thumbnail(of id: Photo.ID) async throws -> Thumbnail { Thumbnail(Data()) }
func decode(_ data: Data) throws -> Thumbnail { Thumbnail(data) }
func hash(_ bytes: [UInt8]) throws -> Int { bytes.count }
func url(of id: Photo.ID) -> URL { url }
func preview(of url: URL) -> URL { url }
func preview(of id: Photo.ID) async throws -> Thumbnail { Thumbnail(Data()) }
func page(after cursor: String?) async throws -> Positions { Positions(rows: [], next: nil) }
func caption<Row>(of row: Row) async throws -> String { "" }
func loadCaption(_ context: UpdateContext<Photo.ID, Thumbnail>) async throws -> String { "" }
func downloadTitle(of id: Int) async throws -> String { "" }
func logIn() async throws -> String { "" }
func request(_ url: URL, _ token: String) -> URLRequest { URLRequest(url: url) }
func fling() {}

// The names of Nuke 12.

struct ImageContainer {
  let image: UIImage
}

struct ImageTask: Sendable {
  var previews: AsyncStream<(image: UIImage, isPreview: Bool)> { AsyncStream { $0.finish() } }
  var image: UIImage { get async throws { UIImage() } }
}

final class ImagePipeline: Sendable {
  static let shared = ImagePipeline()

  var cache: [URL: ImageContainer] { [:] }

  func imageTask(with url: URL) -> ImageTask { ImageTask() }
}

// Names of Apple's systems, and what texts about them leave to their readers.

#if canImport(UIKit)
  import UIKit

  typealias UIImage = UIKit.UIImage
#else
  final class UIImage: Sendable {}
#endif

#if canImport(UIKit) && !os(watchOS)
  final class PostCell: UITableViewCell {
    let avatar = UIImageView()
    let pictures: [UIImageView] = []
  }

  @MainActor let tableView = UITableView()
  @MainActor let tracking = ListTracking(tableView, tracker, ids: { [Int]() })
#else
  @MainActor
  struct Tracking {
    var pages: [Pagination] = []
  }

  @MainActor var tracking = Tracking()
#endif

#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  import AppKit

  @MainActor let table = NSTableView()
#elseif !canImport(UIKit)
  struct NSImage: Sendable {}
  @MainActor class NSView {}
  @MainActor final class NSTableColumn {}
  @MainActor final class NSImageView: NSView {
    var image: NSImage?
  }
  @MainActor final class NSTableCellView: NSView {
    let imageView: NSImageView? = NSImageView()
  }
  struct Identifier {
    init(_ name: String) {}
  }
  @MainActor final class NSTableView: NSView {
    func makeView(withIdentifier identifier: Identifier, owner: Any?) -> NSView? { nil }
    func noteHeightOfRows(withIndexesChanged rows: IndexSet) {}
  }
  struct DecodedPicture: Sendable {
    let image = NSImage()
  }

  @MainActor let table = NSTableView()
#endif

#if canImport(SwiftUI)
  import SwiftUI

  @MainActor let avatars = DisplayTracker<URL, DecodedPicture> { _ in throw CancellationError() }
  @MainActor let fullSize = avatars
  @MainActor let thumbnails = avatars
  @MainActor let list = EmptyView()
  @MainActor let stack = EmptyView()
  let post = Post(id: 1, author: .init(avatar: url), picture: url, pictures: [])
  let posts = [post]
  let ids = [1]
  let isSearching = false
  @MainActor let feed = Model()

  @MainActor
  struct Model {
    let posts: [Post] = []
    let pages = Pagination(load: { (_: Int?) in [0] }, receive: { _, _ in nil })

    func post(_ id: Int) -> Post { posts[id] }
  }

  struct PostRow: View {
    init(post: Post, tracker: DisplayTracker<URL, DecodedPicture>) {}
    init(
      post: Post, pictures: DisplayTracker<URL, DecodedPicture>,
      avatars: DisplayTracker<URL, DecodedPicture>
    ) {}
    var body: some View { EmptyView() }
  }

  struct ThumbnailView: View {
    let image: String?
    let isFailed: Bool
    var body: some View { EmptyView() }
  }

  func loadPage<Page>(after cursor: String?) async throws -> Page { throw CancellationError() }
#endif
@MainActor let pictures = DisplayTracker<URL, DecodedPicture> { _ in throw CancellationError() }
