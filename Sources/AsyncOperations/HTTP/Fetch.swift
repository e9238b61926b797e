import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request of `URLSession.fetch`: performs the actions of ``FetchState``.
///
/// All calls of the system's task go through one queue, because they may block: on Linux each waits
/// for a queue that all sessions share. It also puts a cancel and an answer to the system in order,
/// as an answer after a cancel ends the process there.
package final class Fetch: Sendable {
  package typealias Priority = @Sendable () -> Float
  package typealias Progress = @Sendable (Double) -> Void

  private struct Guarded {
    var state: FetchState
    /// The request of the current hop.
    var request: URLRequest
    var body = Data()
    var response: HTTPURLResponse?
    var task: URLSessionDataTask?
    var continuation: CheckedContinuation<Data, any Error>?
    var progress: Progress?
  }

  /// The part of a transition that runs outside the lock.
  private struct Effects {
    var action: FetchState.Action
    var progress: Progress?
    var continuation: CheckedContinuation<Data, any Error>?
    var body = Data()
    var response: HTTPURLResponse?
  }

  private static let queue = ThreadSafe(DispatchQueue(label: "AsyncOperations.Fetch"))

  private let limit: Int
  private let priority: Priority?
  private let guarded: Lock<Guarded>

  /// - Parameters:
  ///   - priority: Returns the current priority of the request, from 0 to 1, on a queue of the
  ///     fetches; `nil` for the default. It must return at once.
  ///   - progress: Receives the received fraction, rising and at most 1, on a queue of the session:
  ///     after each chunk, if the length is known. A compressed body has no known length. It must
  ///     return at once. After a cancel it may be called once more.
  package init(
    _ request: URLRequest, limit: Int, priority: Priority? = nil, progress: Progress? = nil
  ) {
    self.limit = limit
    self.priority = priority
    guarded = Lock(
      Guarded(state: FetchState(limit: limit), request: request, progress: progress))
  }

  /// The request of the current hop.
  var request: URLRequest { guarded.withLock { $0.request } }

  private var expectsBody: Bool { request.httpMethod != "HEAD" }

  package func run(over session: URLSession) async throws -> Data {
    // The system would connect to other schemes, such as `ftp`.
    guard request.isHTTP else { throw URLError.notHTTP(request.url) }
    let session = ThreadSafe(session)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        transition { guarded in
          guarded.continuation = continuation
          return guarded.state.began()
        } onStart: {
          self.start(over: session.object)
        }
      }
    } onCancel: {
      transition { $0.state.cancelled() }
    }
  }

  private func start(over session: URLSession) {
    guard !isEnded else { return }
    begin(makeTask(request, over: session))
  }

  /// Begins the task of the first hop, or that of another one.
  func begin(_ task: URLSessionDataTask) {
    guarded.withLock { $0.task = task }
    if let priority { task.priority = priority() }
    task.resume()
  }

  /// Reads the priority again, for the running request.
  package func priorityChanged() {
    Self.queue.object.async {
      if let priority = self.priority { self.task?.priority = priority() }
    }
  }

  /// The running task of the system.
  var task: URLSessionDataTask? { guarded.withLock { $0.task } }

  // MARK: Events of the request

  func received(_ response: HTTPURLResponse, awaitsChallenge: Bool = false) {
    let event = FetchState.Response(
      response, expectsBody: expectsBody, awaitsChallenge: awaitsChallenge)
    transition { guarded in
      let action = guarded.state.received(event)
      if action != .ignore { guarded.response = response }
      return action
    }
  }

  func received(_ chunk: Data) {
    transition { guarded in
      let action = guarded.state.received(byteCount: chunk.count)
      if case .keep = action { guarded.body.append(chunk) }
      return action
    }
  }

  /// Follows a redirect.
  ///
  /// - Parameter start: Begins the task of the next hop. Called in order with a cancel, unless the
  ///   fetch has ended.
  func redirected(to request: URLRequest, _ start: @escaping @Sendable () -> Void) {
    transition { guarded in
      let action = guarded.state.redirected()
      if action == .follow { guarded.request = request }
      return action
    } onStart: {
      if !self.isEnded { start() }
    }
  }

  func redirectedWithStream() {
    transition { $0.state.redirectedWithStream() }
  }

  func declinedChallenge() {
    transition { $0.state.declinedChallenge() }
  }

  func completed(_ error: (any Error)?, _ response: HTTPURLResponse?) {
    let event = response.map { FetchState.Response($0, expectsBody: expectsBody) }
    transition(error) { guarded in
      guarded.response = response ?? guarded.response
      return guarded.state.completed(hasError: error != nil, event)
    }
  }

  /// Calls `answer` soon, in order with a cancel, unless the fetch has ended.
  func answer(_ answer: @escaping @Sendable () -> Void) {
    Self.queue.object.async {
      if !self.isEnded { answer() }
    }
  }

  private var isEnded: Bool { guarded.withLock { $0.state.isEnded } }

  // MARK: Effects

  private func transition(
    _ error: (any Error)? = nil, _ event: (inout Guarded) -> FetchState.Action,
    onStart start: (@Sendable () -> Void)? = nil
  ) {
    let effects = guarded.withLock { guarded in
      let action = event(&guarded)
      var effects = Effects(action: action, progress: guarded.progress)
      switch action {
      case .ignore, .start, .follow, .keep:
        break
      case .accept:
        effects.body = guarded.body
        guarded.body = Data()
      case .succeed, .fail:
        effects.continuation = guarded.continuation
        effects.body = guarded.body
        effects.response = guarded.response
        (guarded.continuation, guarded.progress, guarded.body) = (nil, nil, Data())
      }
      return effects
    }
    switch effects.action {
    case .ignore, .accept:
      break
    case .start, .follow:
      if let start { Self.queue.object.async(execute: start) }
    case .keep(let progress):
      if let progress { effects.progress?(progress) }
    case .succeed:
      effects.continuation?.resume(returning: effects.body)
      endRequest(cancels: false)
    case .fail(let failure, let cancelsRequest):
      effects.continuation?.resume(
        throwing: failure.error(limit: limit, effects.response, error))
      endRequest(cancels: cancelsRequest)
    }
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
  fileprivate init(_ response: HTTPURLResponse, expectsBody: Bool, awaitsChallenge: Bool = false) {
    let encoding = response.value(forHTTPHeaderField: "Content-Encoding") ?? "identity"
    let length = response.expectedContentLength
    // A 204 has no body, whatever it announces. The length of an encoded body says nothing about
    // the decoded bytes, which are received.
    let isKnown =
      expectsBody && response.statusCode != 204 && length >= 0
      && encoding.lowercased() == "identity"
    self.init(
      status: response.statusCode, length: isKnown ? Int(clamping: length) : nil,
      awaitsChallenge: awaitsChallenge)
  }
}
