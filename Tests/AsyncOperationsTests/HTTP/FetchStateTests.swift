import Testing

@testable import AsyncOperations

@Suite("The decisions of a fetch")
struct FetchStateTests {
  private func begun(limit: Int = 10, checksStatus: Bool = true) -> FetchState {
    var state = FetchState(limit: limit, checksStatus: checksStatus)
    #expect(state.began() == .start)
    return state
  }

  private func receiving(limit: Int = 10, length: Int? = nil) -> FetchState {
    var state = begun(limit: limit)
    #expect(state.received(.init(status: 200, length: length)) == .accept(isRefused: false))
    return state
  }

  @Test("A body of known length reports its progress and succeeds at its end")
  func body() {
    var state = receiving(length: 4)
    #expect(state.received(byteCount: 1) == .keep(progress: 0.25))
    #expect(state.room == 9)
    #expect(state.received(byteCount: 3) == .keep(progress: 1))
    #expect(state.completed(hasError: false, nil) == .end(nil, cancelsRequest: false))
    #expect(state.isEnded && state.room == 0)
  }

  @Test("A body of unknown length reports no progress, and none passes 1")
  func progress() {
    var state = receiving()
    #expect(state.received(byteCount: 10) == .keep(progress: nil))
    state = receiving(length: 2)
    #expect(state.received(byteCount: 5) == .keep(progress: 1))
    state = receiving(length: 0)
    #expect(state.received(byteCount: 1) == .keep(progress: nil))
  }

  @Test("The first byte over the limit fails, and so does an announced length over it")
  func limit() {
    var state = receiving()
    #expect(state.received(byteCount: 10) == .keep(progress: nil))
    #expect(state.received(byteCount: 1) == .end(.tooLarge, cancelsRequest: true))
    for (status, checksStatus) in [(200, true), (404, false)] {
      state = begun(checksStatus: checksStatus)
      #expect(
        state.received(.init(status: status, length: 11)) == .end(.tooLarge, cancelsRequest: true))
    }
  }

  @Test("Statuses other than 2xx are refused when their body has ended, if the status counts")
  func refused() {
    for status in [300, 304, 404, 500, 0, 1000] {
      var state = begun()
      #expect(state.received(.init(status: status, length: 90)) == .accept(isRefused: true))
      #expect(state.received(byteCount: 90) == .keep(progress: nil))
      #expect(state.completed(hasError: false, nil) == .end(.refused, cancelsRequest: false))
      state = begun(checksStatus: false)
      #expect(state.received(.init(status: status, length: 4)) == .accept(isRefused: false))
      #expect(state.received(byteCount: 4) == .keep(progress: 1))
      #expect(state.completed(hasError: false, nil) == .end(nil, cancelsRequest: false))
    }
  }

  @Test("A refused body ends with an error, at 64 KiB, or when it is late; others wait")
  func refusedBody() {
    var state = begun()
    _ = state.received(.init(status: 500))
    var (cut, late) = (state, state)
    #expect(cut.completed(hasError: true, nil) == .end(.refused, cancelsRequest: false))
    #expect(late.refusedBodyIsLate(ofHop: 0) == .end(.refused, cancelsRequest: true))
    #expect(state.received(byteCount: (1 << 16) - 1) == .keep(progress: nil))
    #expect(state.room == 1)
    #expect(state.received(byteCount: 2) == .end(.refused, cancelsRequest: true))
    var other = receiving()
    #expect(other.refusedBodyIsLate(ofHop: 0) == .ignore)
  }

  @Test("An interim response changes nothing", arguments: [100, 103, 199])
  func interim(status: Int) {
    var state = begun()
    let before = state
    #expect(state.received(.init(status: status)) == .ignore)
    #expect(state == before)
  }

  @Test("At most 20 requests follow the first, also after a challenge, and none after the end")
  func hops() {
    var state = begun()
    _ = state.received(.init(status: 401, length: 3))
    _ = state.challenged()
    for _ in 0..<20 { #expect(state.hopped() == .start) }
    var next = state
    #expect(next.received(.init(status: 200)) == .accept(isRefused: false))
    #expect(state.hopped() == .end(.tooManyHops, cancelsRequest: true))
    #expect(state.hopped() == .ignore && state.bodyIsSent() == .ignore)
    var new = FetchState(limit: 10)
    #expect(new.hopped() == .ignore && new.bodyIsSent() == .ignore)
    var streamed = begun()
    #expect(streamed.bodyIsSent() == .end(.bodyIsSent, cancelsRequest: true))
  }

  @Test("A challenge waits for its answer, and a late body of an earlier hop ends no other")
  func challenged() {
    var state = begun()
    #expect(state.challenged() == .ignore && state == begun())
    #expect(state.received(.init(status: 401)) == .accept(isRefused: true))
    #expect(state.received(byteCount: 3) == .keep(progress: nil))
    #expect(state.challenged() == .ignore)
    #expect(state.refusedBodyIsLate(ofHop: 0) == .ignore)
    #expect(state.received(byteCount: 1 << 17) == .ignore && state.room == 0)
    #expect(state.hopped() == .start)
    #expect(state.received(.init(status: 404)) == .accept(isRefused: true))
    #expect(state.refusedBodyIsLate(ofHop: 0) == .ignore)
    #expect(state.refusedBodyIsLate(ofHop: 1) == .end(.refused, cancelsRequest: true))
  }

  @Test("A declined redirect or challenge is a refusal, or the response", arguments: [true, false])
  func declined(checksStatus: Bool) {
    let failure: FetchState.Failure? = checksStatus ? .refused : nil
    for isChallenged in [true, false] {
      var state = begun(checksStatus: checksStatus)
      _ = state.received(.init(status: 401, length: 5))
      if isChallenged { _ = state.challenged() }
      var completed = state
      #expect(state.declined() == .end(failure, cancelsRequest: true))
      guard isChallenged else { continue }
      #expect(completed.completed(hasError: true, nil) == .end(failure, cancelsRequest: false))
    }
  }

  @Test("A body that is shorter than announced fails")
  func cutShort() {
    var state = receiving(length: 4)
    _ = state.received(byteCount: 3)
    #expect(state.completed(hasError: false, nil) == .end(.cutShort, cancelsRequest: false))
  }

  @Test("A response that the system reports only at the end counts")
  func late() {
    var state = begun()
    #expect(
      state.completed(hasError: false, .init(status: 204)) == .end(nil, cancelsRequest: false))
    state = begun()
    #expect(
      state.completed(hasError: false, .init(status: 302)) == .end(.refused, cancelsRequest: false))
    state = begun()
    #expect(state.completed(hasError: false, nil) == .end(.noResponse, cancelsRequest: false))
  }

  @Test("A cancel before the begin fails the begin")
  func cancelledBefore() {
    var state = FetchState(limit: 10)
    #expect(state.cancelled() == .ignore)
    #expect(state.began() == .end(.cancelled, cancelsRequest: false))
    #expect(state.isEnded)
  }

  @Test("In all sequences of five events a fetch ends once and never keeps more than its limit")
  func allSequences() {
    for checksStatus in [true, false] {
      let state = FetchState(limit: 2, checksStatus: checksStatus)
      var sequences = 0
      explore(state, depth: 5, ends: 0, kept: 0, hasBegun: false, &sequences)
      #expect(sequences == 14 * 14 * 14 * 14 * 14)
    }
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
      case .end: ends += 1
      case .accept: kept = 0
      case .keep(let progress):
        kept += min(1, state.room)
        isFault = isFault || !(0...1 ~= progress ?? 0)
      case .ignore, .start: break
      }
      // A fetch that ends before its begin ends once it begins.
      isFault = isFault || (ends == 1) != (next.isEnded && (hasBegun || isBegin))
      if isFault || ends > 1 || kept > 5 {
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
    Event { $0.challenged() },
    Event { $0.received(.init(status: 404)) },
    Event { $0.received(byteCount: 1) },
    Event { $0.refusedBodyIsLate(ofHop: 0) },
    Event { $0.declined() },
    Event { $0.hopped() },
    Event { $0.bodyIsSent() },
    Event { $0.completed(hasError: false, nil) },
    Event { $0.completed(hasError: true, nil) },
  ]
}
