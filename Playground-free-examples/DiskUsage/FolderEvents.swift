import Foundation

/// The changes of files and folders, as the system reports them.
///
/// Linux reports them through inotify. On other systems no place can be watched.
// Sendable: the lock protects all mutable state.
final class FolderEvents: @unchecked Sendable {
  /// Enough for a screen of rows, and half of what Linux allows each person at least.
  static let shared = FolderEvents(limit: 4_096)

  private struct Listener {
    let news: AsyncStream<Void>.Continuation
    var places: Set<Int32> = []
  }

  private let limit: Int
  private let lock = NSLock()
  private var listeners: [Int: Listener] = [:]
  private var lastListener = 0
  /// The listeners of each watched place, by the number that the system gave it.
  private var watched: [Int32: Set<Int>] = [:]
  /// The system's queue of events; negative without one.
  private let queue: Int32
  private var source: (any DispatchSourceRead)?

  /// - Parameter limit: The largest number of places that are watched at once.
  init(limit: Int) {
    self.limit = limit
    #if os(Linux)
      queue = inotify_init1(Int32(O_CLOEXEC | O_NONBLOCK))
    #else
      queue = -1
    #endif
    guard queue >= 0 else { return }
    let source = DispatchSource.makeReadSource(fileDescriptor: queue, queue: .global())
    source.setEventHandler { [weak self] in self?.read() }
    source.setCancelHandler { [queue] in close(queue) }
    source.activate()
    self.source = source
  }

  deinit { source?.cancel() }

  /// The number of places that are watched.
  var count: Int { lock.withLock { watched.count } }

  // MARK: Listeners

  fileprivate func addListener(_ news: AsyncStream<Void>.Continuation) -> Int {
    lock.withLock {
      lastListener += 1
      listeners[lastListener] = Listener(news: news)
      return lastListener
    }
  }

  fileprivate func removeListener(_ number: Int) {
    removePlaces(of: number)
    lock.withLock { listeners[number] = nil }
  }

  fileprivate func removePlaces(of number: Int) {
    lock.withLock {
      for place in listeners[number]?.places ?? [] {
        watched[place]?.remove(number)
        if watched[place]?.isEmpty == true { unwatch(place) }
      }
      listeners[number]?.places = []
    }
  }

  fileprivate func places(of number: Int) -> Int {
    lock.withLock { listeners[number]?.places.count ?? 0 }
  }

  /// Watches a file, a link itself, or a folder with its entries.
  ///
  /// - Returns: Whether it is watched.
  fileprivate func watch(_ path: Path, for number: Int) -> Bool {
    #if os(Linux)
      let mask = [
        IN_MODIFY, IN_ATTRIB, IN_CREATE, IN_DELETE, IN_MOVED_FROM, IN_MOVED_TO, IN_DELETE_SELF,
        IN_MOVE_SELF, IN_DONT_FOLLOW, IN_EXCL_UNLINK,
      ].reduce(0) { $0 | UInt32($1) }
      return lock.withLock {
        guard queue >= 0, watched.count < limit else { return false }
        let place = withCString(path.bytes) { inotify_add_watch(queue, $0, mask) }
        guard place >= 0 else { return false }
        watched[place, default: []].insert(number)
        listeners[number]?.places.insert(place)
        return true
      }
    #else
      return false
    #endif
  }

  private func unwatch(_ place: Int32) {
    watched[place] = nil
    #if os(Linux)
      inotify_rm_watch(queue, place)
    #endif
  }

  // MARK: Events

  private func read() {
    #if os(Linux)
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while case let count = Foundation.read(queue, &buffer, buffer.count), count > 0 {
        buffer.withUnsafeBytes { bytes in
          var start = 0
          // A number, a mask, a cookie and the length of the name that follows.
          while start + 16 <= count {
            let place = bytes.loadUnaligned(fromByteOffset: start, as: Int32.self)
            let mask = bytes.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self)
            changed(place, isGone: mask & UInt32(IN_IGNORED) != 0)
            start +=
              16
              + Int(bytes.loadUnaligned(fromByteOffset: start + 12, as: UInt32.self))
          }
        }
      }
    #endif
  }

  /// Reports a change of a place; of any place if the system has lost events, and names none.
  private func changed(_ place: Int32, isGone: Bool) {
    let news = lock.withLock {
      let numbers = place < 0 ? Set(listeners.keys) : watched[place] ?? []
      if isGone {
        watched[place] = nil
        for number in numbers { listeners[number]?.places.remove(place) }
      }
      return numbers.compactMap { listeners[$0]?.news }
    }
    for news in news { news.yield() }
  }
}

/// The places that one listener watches, as long as this object lives.
final class FolderWatch {
  private let events: FolderEvents
  private let number: Int
  private let limit: Int
  /// An element for one or more changes since the last one.
  let changes: AsyncStream<Void>

  /// - Parameter limit: The largest number of places.
  init(_ events: FolderEvents, limit: Int) {
    let (changes, news) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    (self.events, self.limit, self.changes) = (events, limit, changes)
    number = events.addListener(news)
  }

  deinit { events.removeListener(number) }

  /// - Returns: Whether the place is watched.
  func add(_ path: Path) -> Bool {
    events.places(of: number) < limit && events.watch(path, for: number)
  }

  /// Watches nothing any more.
  func removeAll() { events.removePlaces(of: number) }
}
