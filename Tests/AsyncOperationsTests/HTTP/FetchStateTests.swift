import Testing

@testable import AsyncOperations

@Suite("The decisions of a fetch")
struct FetchStateTests {
  private func begun(limit: Int = 10) -> FetchState {
    var state = FetchState(limit: limit)
    #expect(state.began() == .start)
    return state
  }

  private func receiving(limit: Int = 10, length: Int? = nil) -> FetchState {
    var state = begun(limit: limit)
    #expect(state.received(.init(status: 200, length: length)) == .accept)
    return state
  }

  @Test("A body of known length reports its progress and succeeds at its end")
  func body() {
    var state = receiving(length: 4)
    #expect(state.received(byteCount: 1) == .keep(progress: 0.25))
    #expect(state.received(byteCount: 3) == .keep(progress: 1))
    #expect(state.completed(hasError: false, nil) == .succeed)
    #expect(state.isEnded)
  }

  @Test("A body of unknown length reports no progress")
  func unknownLength() {
    var state = receiving()
    #expect(state.received(byteCount: 10) == .keep(progress: nil))
    #expect(state.completed(hasError: false, nil) == .succeed)
  }

  @Test(
    "Progress stays at 1 when more bytes come than were announced, and there is none of nothing")
  func moreThanAnnounced() {
    var state = receiving(length: 2)
    #expect(state.received(byteCount: 5) == .keep(progress: 1))
    state = receiving(length: 0)
    #expect(state.received(byteCount: 1) == .keep(progress: nil))
  }

  @Test("The first byte over the limit fails, and so does an announced length over it")
  func limit() {
    var state = receiving()
    #expect(state.received(byteCount: 10) == .keep(progress: nil))
    #expect(state.received(byteCount: 1) == .fail(.tooLarge, cancelsRequest: true))
    state = begun()
    #expect(
      state.received(.init(status: 200, length: 11)) == .fail(.tooLarge, cancelsRequest: true))
  }

  @Test("Statuses other than 2xx are refused", arguments: [300, 304, 404, 500, 0, 1000])
  func refused(status: Int) {
    var state = begun()
    #expect(state.received(.init(status: status)) == .fail(.refused, cancelsRequest: true))
    #expect(state.isEnded)
  }

  @Test("A refused request with a short body ends by itself, so that its connection lives on")
  func drained() {
    var state = begun()
    let short = FetchState.Response(status: 404, length: FetchState.drainedLength)
    #expect(state.received(short) == .fail(.refused, cancelsRequest: false))
    state = begun()
    let long = FetchState.Response(status: 404, length: FetchState.drainedLength + 1)
    #expect(state.received(long) == .fail(.refused, cancelsRequest: true))
  }

  @Test("An interim response changes nothing", arguments: [100, 103, 199])
  func interim(status: Int) {
    var state = begun()
    let before = state
    #expect(state.received(.init(status: status)) == .ignore)
    #expect(state == before)
  }

  @Test("At most 20 redirects are followed, also after a challenge, and none after the end")
  func redirects() {
    var state = begun()
    _ = state.received(.init(status: 401, length: 3, awaitsChallenge: true))
    for _ in 0..<20 { #expect(state.redirected() == .follow) }
    var next = state
    #expect(next.received(.init(status: 200)) == .accept)
    #expect(state.redirected() == .fail(.tooManyRedirects, cancelsRequest: true))
    #expect(state.redirected() == .ignore && state.redirectedWithStream() == .ignore)
    var new = FetchState(limit: 10)
    #expect(new.redirected() == .ignore && new.redirectedWithStream() == .ignore)
    var streamed = begun()
    #expect(streamed.redirectedWithStream() == .fail(.streamIsSpent, cancelsRequest: true))
  }

  @Test("A challenged response can be followed by another one")
  func challenged() {
    var state = begun()
    #expect(state.received(.init(status: 401, length: 3, awaitsChallenge: true)) == .accept)
    #expect(state.received(byteCount: 3) == .ignore)
    #expect(state.received(.init(status: 200)) == .accept)
    #expect(state.received(byteCount: 1) == .keep(progress: nil))
  }

  @Test("A declined challenge is a refusal, and so is an end of the request after a challenge")
  func declined() {
    var state = begun()
    _ = state.received(.init(status: 401, awaitsChallenge: true))
    var other = state
    #expect(state.declinedChallenge() == .fail(.refused, cancelsRequest: true))
    #expect(other.completed(hasError: true, nil) == .fail(.refused, cancelsRequest: false))
  }

  @Test("A body that is shorter than announced fails")
  func cutShort() {
    var state = receiving(length: 4)
    _ = state.received(byteCount: 3)
    #expect(state.completed(hasError: false, nil) == .fail(.cutShort, cancelsRequest: false))
  }

  @Test("A response that the system reports only at the end counts")
  func late() {
    var state = begun()
    #expect(state.completed(hasError: false, .init(status: 204)) == .succeed)
    state = begun()
    #expect(
      state.completed(hasError: false, .init(status: 302))
        == .fail(.refused, cancelsRequest: false))
    state = begun()
    #expect(state.completed(hasError: false, nil) == .fail(.noResponse, cancelsRequest: false))
  }

  @Test("A cancel before the begin fails the begin")
  func cancelledBefore() {
    var state = FetchState(limit: 10)
    #expect(state.cancelled() == .ignore)
    #expect(state.began() == .fail(.cancelled, cancelsRequest: false))
    #expect(state.isEnded)
  }

  @Test("In all sequences of five events a fetch ends once and never keeps more than its limit")
  func allSequences() {
    var sequences = 0
    explore(FetchState(limit: 2), depth: 5, ends: 0, kept: 0, hasBegun: false, &sequences)
    #expect(sequences == 13 * 13 * 13 * 13 * 13)
  }

  private func explore(
    _ state: FetchState, depth: Int, ends: Int, kept: Int, hasBegun: Bool, _ sequences: inout Int
  ) {
    guard depth > 0 else {
      sequences += 1
      return
    }
    for event in Self.events {
      var (next, ends, kept) = (state, ends, kept)
      // A fetch begins once.
      let isBegin = event.isBegin && !hasBegun
      let action = event.isBegin && hasBegun ? .ignore : event.apply(&next)
      var isFault = state.isEnded && !isBegin && action != .ignore
      switch action {
      case .succeed, .fail: ends += 1
      case .accept, .follow: kept = 0
      case .keep(let progress):
        kept += 1
        isFault = isFault || !(0...1 ~= progress ?? 0)
      case .ignore, .start: break
      }
      // A fetch that ends before its begin ends once it begins.
      isFault = isFault || (ends == 1) != (next.isEnded && (hasBegun || isBegin))
      if isFault || ends > 1 || kept > 2 {
        Issue.record("\(event) after \(state) gives \(action)")
      }
      explore(
        next, depth: depth - 1, ends: ends, kept: kept, hasBegun: hasBegun || isBegin, &sequences)
    }
  }

  private struct Event {
    var isBegin = false
    let apply: @Sendable (inout FetchState) -> FetchState.Action
  }

  private static let events: [Event] = [
    Event(isBegin: true) { $0.began() },
    Event { $0.cancelled() },
    Event { $0.received(.init(status: 103)) },
    Event { $0.received(.init(status: 200)) },
    Event { $0.received(.init(status: 200, length: 2)) },
    Event { $0.received(.init(status: 401, awaitsChallenge: true)) },
    Event { $0.received(.init(status: 404)) },
    Event { $0.received(byteCount: 1) },
    Event { $0.declinedChallenge() },
    Event { $0.redirected() },
    Event { $0.redirectedWithStream() },
    Event { $0.completed(hasError: false, nil) },
    Event { $0.completed(hasError: true, nil) },
  ]
}
