import AsyncOperations
import Foundation

// Names that texts about operations leave to their readers.

struct Photo: Identifiable, Sendable {
  static let placeholder = Photo(id: 0)

  let id: Int
  var url: URL { URL(fileURLWithPath: "/\(id)") }
  var aspectRatio: Double { 1 }
}

struct Thumbnail: Hashable, Sendable {
  let byteCount: Int

  init(_ data: Data) { byteCount = data.count }
}

struct Feed: Sendable {}
struct Letter: Sendable {}
struct Receipt: Sendable {}

struct User: Sendable {
  let name: String
}

struct Card: Sendable {
  let name: String
  let photo: Photo
}

struct Page: Sendable {
  var links: [URL] = []
  var user = User(name: "")
  var photo = Photo.placeholder
}

enum SessionError: Error {
  case expired
}

actor Session {
  var isValid: Bool { true }
}

struct Crawler: Sendable {
  func stop() {}
}

extension ExclusionCategory {
  static let database = ExclusionCategory("database")
}

let session = Session()
let crawler = Crawler()
let queue = OperationQueue()
let downloads = AsyncOperationQueue()
let operation = TaskOperation { try await fetchFeed() }
let url = URL(fileURLWithPath: "/")
let start = url
let urls = [url]
let photos = [Photo(id: 1)]
let photo = Photo(id: 1)

func log(_ message: String) {}
func record(_ result: Result<Thumbnail, any Error>, of photo: Photo) {}
func deliver(_ letter: Letter) async throws -> Receipt { Receipt() }
func download(_ url: URL) async throws -> Data { Data() }
func fetch(_ url: URL) async throws -> Data { Data() }
func load(_ url: URL) async throws -> Page { Page() }
func render(_ photo: Photo) async throws -> Thumbnail { Thumbnail(Data()) }
func render(_ url: URL) async throws -> Thumbnail { Thumbnail(Data()) }
func render(_ completion: @escaping @Sendable (Result<Data, any Error>) -> Void) {}
func fetchFeed(fromMirror number: Int = 0) async throws -> Feed { Feed() }
func fetchUser() async throws -> User { User(name: "") }
func fetchPhoto() async throws -> Photo { .placeholder }
func uploadPhoto() async throws {}
func uploadPhotos() async throws {}
func uploadReceipt() async throws -> Receipt { Receipt() }
func checkQuota() async throws {}
func migrateDatabase() async throws {}
func makeSyncGroup() -> GroupOperation<Void> { GroupOperation(width: 1, []) }
