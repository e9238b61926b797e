/// The decisions of a fetch about the events of its request, as a value.
///
/// Events may come in any order and after the end; the fetch ends once.
struct FetchState: Equatable, Sendable {
  /// The part of a response that matters here.
  struct Response: Equatable, Sendable {
    let status: Int
    /// The number of bytes in the body; `nil` if it is unknown or counts encoded bytes.
    var length: Int?
    /// Whether the system may repeat the request with a credential.
    var awaitsChallenge = false
  }

  enum Failure: Equatable, Sendable {
    /// The awaiting task was cancelled.
    case cancelled
    /// The status is not 2xx.
    case refused
    case tooLarge
    /// The body is shorter than its announced length.
    case cutShort
    /// There was no HTTP response.
    case noResponse
    case tooManyRedirects
    /// A redirect would send a body again that is a stream.
    case streamIsSpent
    /// The system's error.
    case system
  }

  enum Action: Equatable, Sendable {
    case ignore
    /// Make the request.
    case start
    /// Keep the response, and drop all of an earlier one.
    case accept
    /// Keep the bytes; `progress` is the received fraction, if it is known.
    case keep(progress: Double?)
    case succeed
    case fail(Failure, cancelsRequest: Bool)
    /// Make the request of the next hop in place of this one.
    case follow
  }

  private enum State: Equatable, Sendable {
    case new
    case waiting
    /// With a 401 that a challenge may follow.
    case challenged
    case receiving(length: Int?, received: Int)
    case ended
  }

  /// A refused body up to this length is received and dropped, so that its connection lives on.
  static let drainedLength = 1 << 14

  /// The largest number of redirects that are followed.
  static let redirectLimit = 20

  private let limit: Int
  private var redirects = 0
  private var state = State.new

  init(limit: Int) { self.limit = limit }

  var isEnded: Bool { state == .ended }

  mutating func began() -> Action {
    guard state == .new else { return .fail(.cancelled, cancelsRequest: false) }
    state = .waiting
    return .start
  }

  mutating func cancelled() -> Action {
    switch state {
    case .new:
      // There is no continuation yet; `began()` fails.
      state = .ended
      return .ignore
    case .waiting, .challenged, .receiving:
      return fail(.cancelled)
    case .ended:
      return .ignore
    }
  }

  mutating func received(_ response: Response) -> Action {
    switch state {
    case .new, .ended:
      return .ignore
    case .waiting, .challenged, .receiving:
      break
    }
    switch response.status {
    case 100..<200:
      // Early hints and the like, which Linux reports.
      return .ignore
    case 200..<300:
      if let length = response.length, length > limit { return fail(.tooLarge) }
      state = .receiving(length: response.length, received: 0)
      return .accept
    default:
      if response.awaitsChallenge {
        state = .challenged
        return .accept
      }
      let isShort = response.length.map { $0 <= Self.drainedLength } ?? false
      return fail(.refused, cancelsRequest: !isShort)
    }
  }

  mutating func received(byteCount: Int) -> Action {
    switch state {
    case .new, .waiting, .challenged, .ended:
      return .ignore
    case .receiving(let length, let before):
      let received = before + byteCount
      guard received <= limit else { return fail(.tooLarge) }
      state = .receiving(length: length, received: received)
      guard let length, length > 0 else { return .keep(progress: nil) }
      return .keep(progress: min(1, Double(received) / Double(length)))
    }
  }

  /// The response is a redirect that is followed.
  mutating func redirected() -> Action {
    guard state != .new, state != .ended else { return .ignore }
    guard redirects < Self.redirectLimit else { return fail(.tooManyRedirects) }
    redirects += 1
    state = .waiting
    return .follow
  }

  /// The response is a redirect that would send a stream again.
  mutating func redirectedWithStream() -> Action {
    switch state {
    case .new, .ended: .ignore
    case .waiting, .challenged, .receiving: fail(.streamIsSpent)
    }
  }

  /// No credential meets the challenge.
  mutating func declinedChallenge() -> Action {
    switch state {
    case .new, .ended: .ignore
    case .waiting, .challenged, .receiving: fail(.refused)
    }
  }

  /// - Parameters:
  ///   - hasError: Whether the system reports an error.
  ///   - response: The last response, even if the system has not reported it before.
  mutating func completed(hasError: Bool, _ response: Response?) -> Action {
    switch state {
    case .new, .ended:
      return .ignore
    case .challenged:
      return fail(.refused, cancelsRequest: false)
    case .waiting:
      guard !hasError else { return fail(.system, cancelsRequest: false) }
      guard let response else { return fail(.noResponse, cancelsRequest: false) }
      guard 200..<300 ~= response.status else { return fail(.refused, cancelsRequest: false) }
    case .receiving(let length, let received):
      guard !hasError else { return fail(.system, cancelsRequest: false) }
      if let length, received < length { return fail(.cutShort, cancelsRequest: false) }
    }
    state = .ended
    return .succeed
  }

  private mutating func fail(_ failure: Failure, cancelsRequest: Bool = true) -> Action {
    state = .ended
    return .fail(failure, cancelsRequest: cancelsRequest)
  }
}
