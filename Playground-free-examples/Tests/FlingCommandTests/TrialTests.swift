import Foundation
import Testing

@testable import fling

@Suite("The trial of a server")
struct TrialTests {
  private static let url = URL(string: "http://u:p@a/0") ?? URL(fileURLWithPath: "/")
  private static let silence = TrialObstacle.noReply(from: url, redirectedTo: nil)
  private static let fault = TrialObstacle.other(Complaint("It is down."))

  private func complaint(_ obstacles: [TrialObstacle]) -> Complaint? {
    Complaint.about(obstacles, "Row 0 was requested at http://a/0.", within: .seconds(2))
  }

  @Test("ends the command if each row needs a login, and says how to log in")
  func logins() {
    let wanted = complaint([.noLogin(.status(401)), .noLogin(.status(403)), .noLogin(.status(401))])
    #expect(
      wanted?.description == """
        NOTHING LOADED: 2 × HTTP 401, 1 × HTTP 403. Row 0 was requested at http://a/0. \
        The server wants a login, or refuses the one it got: --header 'Authorization: …', or \
        https://user:password@host, sends one.
        """)
    #expect(wanted?.exitStatus == 1)
    let elsewhere = FailureReason.redirectedStatus(
      status: 401, isForNow: false, place: "http://b/{row}")
    #expect(
      complaint([.noLogin(elsewhere)])?.description == """
        NOTHING LOADED: 1 × HTTP 401 after a redirect to http://b/{row}. Row 0 was requested at \
        http://a/0. --header and a password go to no other origin: give that one as --origin.
        """)
    // There is a server.
    #expect(complaint([.noLogin(.status(401)), Self.silence, Self.fault]) == nil)
    #expect(complaint([Self.fault, .noLogin(.status(401))]) == nil)
    #expect(complaint([]) == nil)
  }

  @Test(
    "says for how many rows it has waited",
    arguments: [(1, ""), (2, " for two rows"), (3, " for three rows")])
  func silence(rows: Int, words: String) {
    let late = complaint(Array(repeating: Self.silence, count: rows))
    #expect(
      late?.description
        == "http://a/0: no complete reply within 2 s\(words); --timeout allows more.")
    #expect(late?.exitStatus == 2)
  }

  @Test("names the first fault")
  func faults() {
    #expect(complaint([Self.fault, Self.silence])?.description == "It is down.")
    #expect(
      complaint([Self.silence, Self.fault])?.description
        == "http://a/0: no complete reply within 2 s; --timeout allows more.")
  }
}
