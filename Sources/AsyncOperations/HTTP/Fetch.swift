import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Performs the actions of ``FetchState``.
///
/// All calls of the system's task go through one queue, because they may block: on Linux each waits
/// for a queue that all sessions share. It also puts a cancel and an answer to the system in order,
/// as an answer after a cancel ends the process there.
package final class Fetch: Sendable {
  package typealias Priority = @Sendable () -> Float
  package typealias Progress = @Sendable (Double) -> Void
  package typealias Answer = (data: Data, response: HTTPURLResponse)

  private struct Guarded {
    var state: FetchState
    /// The request of the current hop.
    var request: URLRequest
    var body = Data()
    var response: HTTPURLResponse?
    var task: URLSessionDataTask?
    var continuation: CheckedContinuation<Answer, any Error>?
    var progress: Progress?
    var credentials = 0
    /// Leaves the task of the request before, in order with a cancel.
    var leave: (@Sendable () -> Void)?
    var error: (any Error)?
  }

  private static let queue = ThreadSafe(DispatchQueue(label: "AsyncOperations.Fetch"))

  /// The session of the app, which lives until the fetch ends.
  let session: ThreadSafe<URLSession>
  private let limit: Int
  private let priority: Priority?
  private let guarded: Lock<Guarded>

  /// - Parameters:
  ///   - checksStatus: Whether statuses other than 2xx are errors.
  ///   - priority: The current priority, from 0 to 1; must not block.
  ///   - progress: Gets the received fraction after each chunk, if known, and once after a cancel;
  ///     must not block.
  package init(
    _ request: URLRequest, over session: URLSession, limit: Int, checksStatus: Bool = true,
    priority: Priority? = nil, progress: Progress? = nil
  ) {
    self.session = ThreadSafe(session)
    self.limit = limit
    self.priority = priority
    let state = FetchState(limit: limit, checksStatus: checksStatus)
    guarded = Lock(Guarded(state: state, request: request, progress: progress))
  }

  var request: URLRequest { guarded.withLock { $0.request } }

  var credentials: Int { guarded.withLock { $0.credentials } }

  var task: URLSessionDataTask? { guarded.withLock { $0.task } }

  package func run() async throws -> Answer {
    // The system would connect to other schemes, such as `ftp`.
    guard request.url?.isHTTP == true else {
      throw URLError(
        .unsupportedURL, "A fetch needs a URL with the scheme http or https.", url: request.url)
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        transition { guarded in
          guarded.continuation = continuation
          return guarded.state.began()
        }
      }
    } onCancel: {
      transition { $0.state.cancelled() }
    }
  }

  package func priorityChanged() {
    Self.queue.object.async {
      if let priority = self.priority { self.task?.priority = priority() }
    }
  }

  // MARK: Events of the request

  func received(_ response: HTTPURLResponse) {
    transition { guarded in
      let action = guarded.state.received(.init(response, to: guarded.request))
      if action != .ignore { guarded.response = response }
      return action
    }
  }

  func received(_ chunk: Data) {
    transition { guarded in
      guarded.body.append(chunk.prefix(guarded.state.room))
      return guarded.state.received(byteCount: chunk.count)
    }
  }

  /// Makes another request in place of the current one.
  ///
  /// - Parameters:
  ///   - response: Of the current request.
  func hopped(
    to request: URLRequest, after response: URLResponse?, withCredential: Bool = false,
    _ leave: @escaping @Sendable () -> Void
  ) {
    transition { guarded in
      let action = guarded.state.hopped()
      guarded.response = action == .start ? nil : response as? HTTPURLResponse
      if action == .start {
        guarded.request = request
        guarded.credentials = withCredential ? guarded.credentials + 1 : 0
        guarded.leave = leave
      }
      return action
    }
  }

  func bodyIsSent(_ response: URLResponse?) {
    transition { guarded in
      guarded.response = response as? HTTPURLResponse
      return guarded.state.bodyIsSent()
    }
  }

  func challenged() { transition { $0.state.challenged() } }

  func declined() { transition { $0.state.declined() } }

  func completed(_ error: (any Error)?, _ response: HTTPURLResponse?) {
    transition { guarded in
      guarded.error = error
      guarded.response = response ?? guarded.response
      return guarded.state.completed(
        hasError: error != nil, response.map { .init($0, to: guarded.request) })
    }
  }

  /// Calls `answer` soon, in order with a cancel, unless the fetch has ended.
  func answer(_ answer: @escaping @Sendable () -> Void) {
    Self.queue.object.async {
      if !self.guarded.withLock({ $0.state.isEnded }) { answer() }
    }
  }

  // MARK: Effects

  private func transition(_ event: (inout Guarded) -> FetchState.Action) {
    // Used outside the lock.
    let (action, last) = guarded.withLock { guarded in
      let action = event(&guarded)
      var last = guarded
      switch action {
      case .ignore, .keep: last.body = Data()
      case .start, .accept: guarded.body = Data()
      case .end: (guarded.continuation, guarded.progress, guarded.body) = (nil, nil, Data())
      }
      return (action, last)
    }
    perform(action, last)
  }

  private func perform(_ action: FetchState.Action, _ last: Guarded) {
    switch action {
    case .ignore, .accept(isRefused: false):
      break
    case .accept(isRefused: true):
      DispatchQueue.global().asyncAfter(deadline: .now() + 1) { [weak self] in
        self?.transition { $0.state.refusedBodyIsLate(ofHop: last.state.hops) }
      }
    case .start:
      answer {
        last.leave?()
        self.start()
      }
    case .keep(let progress):
      if let progress { last.progress?(progress) }
    case .end(let failure, let cancelsRequest):
      if let failure {
        last.continuation?.resume(
          throwing: failure.error(limit: limit, last.response, last.body, last.error))
      } else if let response = last.response {
        last.continuation?.resume(returning: (last.body, response))
      }
      endRequest(cancels: cancelsRequest)
    }
  }

  private func start() {
    let task = makeTask(request)
    guarded.withLock { $0.task = task }
    if let priority { task.priority = priority() }
    task.resume()
  }

  private func endRequest(cancels: Bool) {
    Self.queue.object.async {
      // The task and its delegate hold the fetch, so it gives up the task.
      let task = self.guarded.withLock { guarded in
        defer { guarded.task = nil }
        return guarded.task
      }
      if cancels { task?.cancel() }
    }
  }
}

extension FetchState.Response {
  fileprivate init(_ response: HTTPURLResponse, to request: URLRequest) {
    let encoding = response.value(forHTTPHeaderField: "Content-Encoding") ?? "identity"
    let length = response.expectedContentLength
    // Such responses have no body, whatever they announce. The length of an encoded body does not
    // count the decoded bytes.
    let isEmpty = request.httpMethod == "HEAD" || [204, 304].contains(response.statusCode)
    let isKnown = !isEmpty && length >= 0 && encoding.lowercased() == "identity"
    self.init(
      status: response.statusCode, length: isKnown ? Int(clamping: length) : nil)
  }
}
