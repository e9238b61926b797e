import Foundation
import RowOperations
import Testing

@testable import fling

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("The tally of loads")
struct LoadTallyTests {
  private func tally(_ events: [(TrackerEvent.Kind, Int)]) -> LoadTally {
    var tally = LoadTally()
    for (kind, milliseconds) in events {
      tally.record(TrackerEvent(row: 0, kind: kind, time: .milliseconds(milliseconds)))
    }
    return tally
  }

  @Test("times the loads that end with a value, each from its start")
  func times() {
    let tally = tally([
      (.started(1), 100), (.started(2), 110), (.started(3), 120), (.started(4), 130),
      (.failed(3, HTTPStatusError(status: 404)), 500), (.finished(2), 140), (.cancelled(4), 900),
      (.finished(1), 180), (.finished(3), 999), (.finished(4), 999),
    ])
    #expect(
      tally.times.percentiles([0, 50, 51, 100])
        == [.milliseconds(30), .milliseconds(30), .milliseconds(80), .milliseconds(80)])
  }

  @Test("counts failures by their reason")
  func failures() {
    let tally = tally([
      (.failed(1, HTTPStatusError(status: 404)), 0), (.failed(2, HTTPStatusError(status: 404)), 0),
      (.failed(3, HTTPStatusError(status: 503)), 0), (.cancelled(4), 0),
    ])
    #expect(tally.failures == [.status(404): 2, .status(503): 1])
  }

  @Test("keeps the longest time that the server wants to be left alone")
  func retryAfter() {
    #expect(tally([(.failed(1, HTTPStatusError(status: 429)), 0)]).longestRetryAfter == nil)
    let refusals = [3, 60, 2].enumerated().map { generation, seconds in
      (
        TrackerEvent<Int>.Kind.failed(
          UInt64(generation), HTTPStatusError(status: 429, retryAfter: .seconds(seconds))), 0
      )
    }
    #expect(tally(refusals).longestRetryAfter == .seconds(60))
  }

  @Test("keeps the lowest row that was not found, and the lowest and highest that loaded")
  func ends() {
    var tally = LoadTally()
    #expect(tally.lowestMissingRow == nil && tally.highestLoadedRow == nil)
    for (row, status) in [(7, 200), (9, 200), (3, 200), (12, 404), (11, 410), (20, 404), (1, 500)] {
      let generation = UInt64(row)
      let kind: TrackerEvent<Int>.Kind =
        status == 200
        ? .finished(generation) : .failed(generation, HTTPStatusError(status: status))
      tally.record(TrackerEvent(row: row, kind: kind, time: .zero))
    }
    #expect(tally.lowestMissingRow == 11 && tally.lowestLoadedRow == 3)
    #expect(tally.highestLoadedRow == 9)
  }

  @Test("has percentiles of the nearest rank, and none without loads")
  func percentiles() {
    var times = LoadTimes()
    #expect(times.percentiles([50]).isEmpty)
    #expect(LoadPercentiles(times) == nil)
    for milliseconds in (1...200).shuffled() { times.add(.milliseconds(milliseconds)) }
    let percentiles = LoadPercentiles(times)
    #expect(percentiles?.p50 == 0.1)
    #expect(percentiles?.p90 == 0.18)
    #expect(percentiles?.p99 == 0.198)
  }
}

@Suite("The reason of a failure")
struct FailureReasonTests {
  private func reason(_ code: URLError.Code, _ words: String = "words") -> FailureReason {
    FailureReason(URLError(code, userInfo: [NSLocalizedDescriptionKey: words]))
  }

  // It has a user, whom no sentence names.
  private static let url = URL(string: "http://user:word@a/0") ?? URL(fileURLWithPath: "/")

  @Test("is the same for timeouts of the tracker and of the plain recipe")
  func timeouts() {
    let tracker = OperationError(code: .timedOut, description: "It took too long.")
    #expect(FailureReason(tracker) == reason(.timedOut))
    #expect(FailureReason(tracker).description == "timed out")
  }

  @Test("names no numbers that differ from load to load")
  func cuts() {
    #expect(reason(.unknown, "transfer closed with 97 bytes remaining to read") == .cut)
    #expect(reason(.networkConnectionLost) == .cut)
    #expect(
      reason(.unknown, "Error while processing content unencoding: incorrect header check")
        == .notUnpacked)
  }

  @Test("does not take a long header for a lack of memory")
  func headers() {
    for words in ["Out of memory", "Too large response headers: 307647 > 307200"] {
      #expect(reason(.unknown, words) == .headerTooLarge(hasCookies: false))
    }
  }

  @Test("blames cookies for a long header only if the client has some")
  func cookies() {
    let error = URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: "Out of memory"])
    for (hasCookies, guess) in [
      (false, ""), (true, ", probably by cookies, which the client keeps"),
    ] {
      #expect(
        Complaint.cannotLoad(Self.url, redirectedTo: nil, error, hasCookies: hasCookies).description
          == "http://a/0 cannot be loaded: the header of the reply is too large\(guess).")
    }
    func text(_ hasCookies: Bool) -> String {
      FailureReason(HeaderTooLarge(hasCookies: hasCookies)).description
    }
    #expect(text(false) == "header too large")
    #expect(text(true) == "header too large, probably by cookies")
  }

  @Test("blames cookies for a refused header only if the client has some")
  func refusedCookies() {
    #expect(FailureReason(CookiesTooLarge()).description == "HTTP 431, probably by cookies")
    #expect(FailureReason(HTTPStatusError(status: 431)).description == "HTTP 431")
  }

  @Test("proposes the other scheme where the server seems to speak it, or to trust its certificate")
  func schemes() throws {
    func text(_ scheme: String, _ words: String) throws -> String {
      let error = URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: words])
      let url = try #require(URL(string: "\(scheme)://a/0"))
      return Complaint.cannotLoad(url, redirectedTo: nil, error).description
    }
    #expect(
      try text("https", "OpenSSL/3.0.19: error:0A00010B:SSL routines::wrong version number") == """
        https://a/0 cannot be loaded: the server does not speak TLS on this port. Try http://.
        """)
    #expect(
      try text("https", "SSL certificate problem: self-signed certificate") == """
        https://a/0 cannot be loaded: SSL certificate problem: self-signed certificate. fling \
        trusts the certificates that the system trusts. On Debian and Ubuntu, \
        update-ca-certificates adds one; or use http://.
        """)
    for words in [
      "Could not resolve host: certificates", "SSL certificate problem: certificate has expired",
    ] {
      #expect(try text("https", words) == "https://a/0 cannot be loaded: \(words).")
    }
    for words in ["Empty reply from server", "Recv failure: Connection reset by peer"] {
      let cut = "a/0 cannot be loaded: the server cut the connection."
      #expect(try text("http", words) == "http://\(cut) Does it need https?")
      #expect(try text("https", words) == "https://\(cut)")
    }
    #expect(try !text("http", "transfer closed with 9 bytes remaining to read").contains("?"))
  }

  @Test("names the place to which a redirect led before the status of an error")
  func redirectedStatus() {
    for (wait, words) in [
      (nil, "HTTP 503"),
      (Duration.seconds(1), "HTTP 503 with Retry-After, which fling does not obey"),
    ] {
      let error = HTTPStatusError(status: 503, retryAfter: wait)
      #expect(
        FailureReason(RedirectedStatus(error: error, place: "/a")).description
          == "\(words) after a redirect to /a")
    }
  }

  @Test("names the fault of a reply in few words")
  func replies() {
    for (words, expected) in [
      ("Empty reply from server", FailureReason.cut),
      ("Recv failure: Connection reset by peer", .cut),
      ("Unrecognized content encoding type. libcurl understands gzip.", .unknownCompression),
      ("Unrecognized or bad HTTP Content or Transfer-Encoding", .notUnpacked),
      ("Failed writing header", .badHeaderLine), ("Header without colon", .badHeaderLine),
      ("Nul byte in header", .badHeaderLine),
      ("Unsupported response code in HTTP response", .badStatusLine),
      ("Illegal or missing hexadecimal sequence in chunked-encoding", .malformedChunks),
      ("Received HTTP/0.9 when not allowed", .notHTTP),
    ] {
      #expect(reason(.unknown, words) == expected)
    }
    #expect(reason(.httpTooManyRedirects).description == "too many redirects")
  }

  @Test("tells refusals for now, and redirects to nowhere, from other statuses")
  func statuses() {
    let busy = HTTPStatusError(status: 429, retryAfter: .seconds(1))
    #expect(
      FailureReason(busy).description == "HTTP 429 with Retry-After, which fling does not obey")
    #expect(
      FailureReason(HTTPStatusError(status: 302)).description
        == "HTTP 302 without an HTTP address to follow")
    #expect(FailureReason(HTTPStatusError(status: 304)).description == "HTTP 304")
  }

  @Test("blames neither the version for a status, nor the server for its address")
  func misleadingWords() throws {
    let version = "Unsupported HTTP version in response"
    #expect(reason(.unknown, version).description == "unreadable status line")
    let literal = try #require(URL(string: "http://[::1]:1/"))
    #expect(reason(.badURL).sentence(about: literal).hasSuffix("it refuses each IPv6 literal"))
    #expect(reason(.badURL).sentence(about: Self.url) == "the system refuses this address")
  }

  @Test("names what came in place of JSON, and where a redirect led")
  func misplacedReplies() throws {
    let base = try #require(URL(string: "http://a/api"))
    func place(_ target: String) throws -> String {
      try #require(URL(string: target)).place(from: base, number: 17)
    }
    #expect(try place("http://A:80/login?next=17") == "/login")
    #expect(try place("http://a/v/17/x/17.json") == "/v/{row}/x/{row}.json")
    #expect(try place("https://u:p@a/170") == "https://a:443/170")
    #expect(
      FailureReason(RedirectedFault(fault: .html, place: "/login")).description
        == "not JSON, but HTML after a redirect to /login")
  }

  @Test("stands beside the address that failed, be it the first one or that of a redirect")
  func redirects() throws {
    let target = try #require(URL(string: "http://u:p@b/1"))
    let isDown = URLError(
      .cannotConnectToHost, userInfo: [NSLocalizedDescriptionKey: "It is down."])
    func text(_ error: URLError, _ target: URL?) -> String {
      Complaint.cannotLoad(Self.url, redirectedTo: target, error).description
    }
    #expect(
      text(isDown, nil) == "http://a/0 cannot be loaded: It is down. Is the server running?")
    #expect(
      text(isDown, target)
        == """
        http://a/0 redirects to http://b/1, which cannot be loaded: It is down. \
        Is that server running?
        """)
    #expect(
      text(URLError(.httpTooManyRedirects), target)
        == "http://a/0 cannot be loaded: the server redirected the request too often.")
    func late(_ target: URL?) -> String {
      Complaint.noReply(from: Self.url, redirectedTo: target, within: .seconds(2), rows: 1)
        .description
    }
    let reply = "no complete reply within 2 s; --timeout allows more."
    #expect(late(nil) == "http://a/0: \(reply)")
    #expect(late(target) == "http://a/0 redirects to http://b/1: \(reply)")
  }

  @Test("is in the system's words otherwise")
  func others() {
    #expect(reason(.cannotFindHost, "No such host.").description == "No such host")
    let tooLarge = OperationError(code: .tooLarge, description: "More than 8 bytes.")
    #expect(FailureReason(tooLarge).description == "too large")
    for (limit, size) in [(8 << 20, "8"), ((256 << 20) / 5, "51.2"), (1 << 20, "1")] {
      #expect(
        FailureReason(ReplyTooLarge(limit: limit)).description == "too large, over \(size) MB")
    }
    #expect(FailureReason(HTTPStatusError(status: 429)).description == "HTTP 429")
    // The sentence around it ends with a period of its own.
    #expect(reason(.resourceUnavailable, "It is too far.").description == "It is too far")
    let words = "Failed to connect to 127.0.0.1 port 1 after 23 ms: Couldn't connect to server"
    #expect(
      reason(.cannotConnectToHost, words).description == "Failed to connect to 127.0.0.1 port 1")
    #expect(FailureReason(DocumentFault.noObject).description == "JSON, but not an object")
  }
}
