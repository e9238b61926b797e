import Foundation
import RowOperations
import RowOperationsTesting
import Testing

@testable import AppleLists

@Suite("A picture library behind a tracker", .timeLimit(.minutes(10)))
@MainActor
struct PictureLibraryTests {
  /// A library with a cache of its loaded pictures; the test ends its loads.
  private final class Library: PictureLibrary, @unchecked Sendable {
    // Sendable: the lock protects the pictures.
    private let lock = NSLock()
    private var pictures: [URL: String] = [:]
    let gate = LoadGate<URL, String>()

    func pictureInMemory(for url: URL) -> String? { lock.withLock { pictures[url] } }

    func picture(for url: URL) async throws -> String {
      let token = RowToken(row: url, generation: 0)
      let picture = try await gate.load(UpdateContext<URL, String>(token: token))
      keep(picture, for: url)
      return picture
    }

    func keep(_ picture: String, for url: URL) { lock.withLock { pictures[url] = picture } }
  }

  private let urls = (0..<4).compactMap { URL(string: "https://example.com/\($0)") }
  private let library = Library()
  private let cells = (0..<4).map { SimulatedCell(number: $0) }

  /// Shows the first pictures, each in its own cell.
  private func show(
    _ count: Int, in tracker: DisplayTracker<URL, String>,
    render: @escaping @MainActor (SimulatedCell, RowPhase<String>) -> Void = { _, _ in }
  ) {
    for (cell, url) in zip(cells, urls).prefix(count) {
      tracker.bind(cell, to: url, render: render)
      tracker.willDisplay(cell)
    }
    tracker.endPass()
  }

  @Test("A picture in the library's memory shows at once without a load")
  func inMemory() async {
    library.keep("kept", for: urls[0])
    let tracker = DisplayTracker(pictures: library)
    var shown: [String?] = []
    show(1, in: tracker) { shown.append($1.value) }
    #expect(shown == ["kept"])
    await tracker.waitUntilIdle()
    #expect(library.gate.log.began.isEmpty)
  }

  @Test("Only the library keeps a picture, which shows at once when its row comes back")
  func keptOnce() async {
    let tracker = DisplayTracker(pictures: library)
    show(1, in: tracker)
    await library.gate.waitForLoads([urls[0]])
    library.gate.open(urls[0], with: "loaded")
    await tracker.waitUntilIdle()
    #expect(tracker.phase(of: urls[0]).value == "loaded")
    tracker.unbind(cells[0])
    tracker.endPass()
    #expect(tracker.phase(of: urls[0]).value == nil, "the tracker keeps no second copy")
    var shown: [String?] = []
    show(1, in: tracker) { shown.append($1.value) }
    #expect(shown == ["loaded"])
    #expect(library.gate.log.began.count == 1)
  }

  @Test("The tracker starts as many downloads as the library runs at once")
  func downloads() async {
    let tracker = DisplayTracker(pictures: library, downloads: 2)
    show(4, in: tracker)
    await library.gate.waitForLoads(Set(urls.prefix(2)))
    #expect(library.gate.log.began.count == 2)
    tracker.removeAll()
    await tracker.waitUntilIdle()
  }

  // MARK: Callbacks

  /// A download of a library that calls back.
  private final class Download: PictureDownload, @unchecked Sendable {
    // Sendable: the lock protects all variables.
    private let lock = NSLock()
    private var completed: (@Sendable (Result<String, any Error>) -> Void)?
    private var cancels = 0

    func begin(_ completed: @escaping @Sendable (Result<String, any Error>) -> Void) {
      lock.withLock { self.completed = completed }
    }

    var cancelCount: Int { lock.withLock { cancels } }

    /// Calls back once.
    func end(with result: Result<String, any Error>) {
      let callback = lock.withLock {
        defer { completed = nil }
        return completed
      }
      callback?(result)
    }

    func cancel() {
      lock.withLock { cancels += 1 }
      end(with: .failure(URLError(.cancelled)))
    }
  }

  private struct Callbacks: CallbackLibrary {
    let download = Download()
    /// Runs when a load begins, before its handle exists.
    var onLoad: @Sendable () -> Void = {}

    func load(
      _ url: URL, completed: @escaping @Sendable (Result<String, any Error>) -> Void
    ) -> any PictureDownload {
      download.begin(completed)
      onLoad()
      return download
    }
  }

  @Test("The picture is the argument of the library's callback, even if it calls back at once")
  func callback() async throws {
    var callbacks = Callbacks()
    callbacks.onLoad = { [download = callbacks.download] in download.end(with: .success("there")) }
    #expect(try await callbacks.picture(for: urls[0]) == "there")
    #expect(callbacks.download.cancelCount == 0)
  }

  @Test("A cancelled task cancels the download, and ends when the library calls back")
  func cancelled() async {
    let (began, begin) = AsyncStream<Void>.makeStream()
    let callbacks = Callbacks { begin.yield() }
    let task = Task { [url = urls[0]] in try await callbacks.picture(for: url) }
    for await _ in began { break }
    task.cancel()
    await #expect(throws: (any Error).self) { try await task.value }
    #expect(callbacks.download.cancelCount > 0)
  }

  @Test("A load that is cancelled before its handle exists cancels the download")
  func cancelledEarly() async {
    let load = Box<PictureLoad<Callbacks>>()
    let callbacks = Callbacks { load.value?.cancel() }
    let operation = PictureLoad(urls[0], from: callbacks)
    load.value = operation
    let queue = OperationQueue()
    await #expect(throws: (any Error).self) { try await queue.value(of: operation) }
    #expect(callbacks.download.cancelCount > 0)
    load.value = nil
  }

  private final class Box<Value: Sendable>: @unchecked Sendable {
    // Sendable: the lock protects the value.
    private let lock = NSLock()
    private var stored: Value?

    var value: Value? {
      get { lock.withLock { stored } }
      set { lock.withLock { stored = newValue } }
    }
  }
}
