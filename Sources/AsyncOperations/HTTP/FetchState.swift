/// The decisions of a fetch, as a value.
///
/// Events may come in any order and after the end; the fetch ends once.
struct FetchState: Equatable, Sendable {
  struct Response: Equatable, Sendable {
    let status: Int
    /// The number of bytes in the body; `nil` if it is unknown or counts encoded bytes.
    var length: Int?
  }

  enum Failure: Equatable, Sendable {
    case cancelled
    case refused
    case tooLarge
    case cutShort
    case noResponse
    case tooManyHops
    /// The request would have to be sent again with its body, or with its stream.
    case bodyIsSent
    case system
  }

  enum Action: Equatable, Sendable {
    case ignore
    /// Make the request, or that of the next hop.
    case start
    /// Keep the response, and drop all of an earlier one; `isRefused` limits the wait for its body.
    case accept(isRefused: Bool)
    /// `progress` is the received fraction, if it is known.
    case keep(progress: Double?)
    /// End with the response, or with a failure.
    case end(Failure?, cancelsRequest: Bool)
  }

  private enum State: Equatable, Sendable {
    case new
    case waiting
    case receiving(Response, received: Int)
    /// The response has come, and an answer to its challenge is to come.
    case challenged(Response)
    case ended
  }

  static let hopLimit = 20

  /// Bytes of a refused body that are kept.
  static let refusedLimit = 1 << 16

  private let limit: Int
  private let checksStatus: Bool
  private(set) var hops = 0
  private var state = State.new

  init(limit: Int, checksStatus: Bool = true) {
    self.limit = limit
    self.checksStatus = checksStatus
  }

  var isEnded: Bool { state == .ended }

  var room: Int {
    guard case .receiving(let response, let received) = state else { return 0 }
    return max(0, (isRefused(response) ? Self.refusedLimit : limit) - received)
  }

  private func isRefused(_ response: Response) -> Bool {
    checksStatus && !(200..<300 ~= response.status)
  }

  private func refusal(_ response: Response) -> Failure? { isRefused(response) ? .refused : nil }

  mutating func began() -> Action {
    guard state == .new else { return .end(.cancelled, cancelsRequest: false) }
    state = .waiting
    return .start
  }

  mutating func cancelled() -> Action {
    guard state != .new else {
      // There is no continuation yet; `began()` fails.
      state = .ended
      return .ignore
    }
    return end(.cancelled)
  }

  mutating func received(_ response: Response) -> Action {
    // 1xx are early hints and the like, which Linux reports.
    guard state != .new, state != .ended, !(100..<200 ~= response.status) else { return .ignore }
    let isRefused = isRefused(response)
    if !isRefused, let length = response.length, length > limit { return end(.tooLarge) }
    state = .receiving(response, received: 0)
    return .accept(isRefused: isRefused)
  }

  mutating func received(byteCount: Int) -> Action {
    guard case .receiving(let response, let before) = state else { return .ignore }
    let received = before + byteCount
    state = .receiving(response, received: received)
    guard !isRefused(response) else {
      return received >= Self.refusedLimit ? end(.refused) : .keep(progress: nil)
    }
    guard received <= limit else { return end(.tooLarge) }
    guard let length = response.length, length > 0 else { return .keep(progress: nil) }
    return .keep(progress: min(1, Double(received) / Double(length)))
  }

  mutating func refusedBodyIsLate(ofHop hop: Int) -> Action {
    guard hop == hops, case .receiving(let response, _) = state, isRefused(response) else {
      return .ignore
    }
    return end(.refused)
  }

  /// Another request may meet the challenge of the complete response.
  mutating func challenged() -> Action {
    if case .receiving(let response, _) = state { state = .challenged(response) }
    return .ignore
  }

  /// Another request follows: that of a redirect, or the same with a credential.
  mutating func hopped() -> Action {
    guard state != .new, state != .ended else { return .ignore }
    guard hops < Self.hopLimit else { return end(.tooManyHops) }
    hops += 1
    state = .waiting
    return .start
  }

  mutating func bodyIsSent() -> Action { end(.bodyIsSent) }

  mutating func declined() -> Action {
    switch state {
    case .receiving(let response, _), .challenged(let response): end(refusal(response))
    case .new, .waiting, .ended: end(.refused)
    }
  }

  /// - Parameters:
  ///   - hasError: Whether the system reports an error.
  ///   - response: The last response, even if the system has not reported it before.
  mutating func completed(hasError: Bool, _ response: Response?) -> Action {
    let failure: Failure? =
      switch state {
      case .waiting where hasError: .system
      case .waiting: response.map(refusal) ?? .noResponse
      case .challenged(let response): refusal(response)
      case .receiving(let response, _) where isRefused(response): .refused
      case .receiving where hasError: .system
      case .receiving(let response, let received) where received < response.length ?? 0: .cutShort
      case .receiving, .new, .ended: nil
      }
    return end(failure, cancelsRequest: false)
  }

  private mutating func end(_ failure: Failure?, cancelsRequest: Bool = true) -> Action {
    guard state != .new, state != .ended else { return .ignore }
    state = .ended
    return .end(failure, cancelsRequest: cancelsRequest)
  }
}
