import Foundation
import RowOperations

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Why a request of the trial brought no response that lets the scroll begin.
enum TrialObstacle: Sendable {
  case noReply(from: URL, redirectedTo: URL?)
  /// The status is 401 or 403, perhaps after a redirect.
  case noLogin(FailureReason)
  case other(Complaint)
}

extension RowSource {
  /// Requests rows to see whether a server of HTTP is there, and lets the command in.
  ///
  /// Any other response to the first row is enough. A server that fails now and then gets three
  /// rows to respond to.
  func checkIsReachable(within timeout: Duration) async throws {
    var obstacles: [TrialObstacle] = []
    for row in 0..<min(3, count) {
      guard let obstacle = await tryToLoad(row, within: timeout) else { return }
      obstacles.append(obstacle)
    }
    if let complaint = Complaint.about(obstacles, sentence(about: 0), within: timeout) {
      throw complaint
    }
  }

  private func tryToLoad(_ row: Int, within timeout: Duration) async -> TrialObstacle? {
    guard let url = try? url(of: row) else {
      return .other(Complaint("\(address(of: row).withoutUser) is no address."))
    }
    do {
      let request = URLRequest(url, headers)
      _ = try await withTimeout(timeout) { try await session.fetch(request, limit: limit) }
      return nil
    } catch URLError.timedOut {
      return .noReply(from: url, redirectedTo: redirects.target(of: url))
    } catch let error as URLError where error.httpStatus == nil {
      return .other(
        .cannotLoad(url, redirectedTo: redirects.target(of: url), error, hasCookies: hasCookies))
    } catch let error as HTTPStatusError where [401, 403].contains(error.status) {
      guard let target = redirects.target(of: url) else { return .noLogin(FailureReason(error)) }
      let place = target.place(from: base, number: row + first)
      return .noLogin(FailureReason(RedirectedStatus(error: error, place: place)))
    } catch {
      // There is a response. Why it is none for a row stands among the figures.
      return nil
    }
  }
}

extension Complaint {
  /// The sentence about a trial; `nil` if a row had a response, and the scroll can begin.
  ///
  /// - Parameters:
  ///   - obstacles: Those of all rows of the trial.
  ///   - sentence: It says where the first row comes from.
  static func about(
    _ obstacles: [TrialObstacle], _ sentence: String?, within timeout: Duration
  ) -> Complaint? {
    let reasons = obstacles.compactMap { obstacle in
      if case .noLogin(let reason) = obstacle { reason.description } else { nil }
    }
    guard reasons.isEmpty else {
      return reasons.count == obstacles.count ? noLogin(reasons, sentence) : nil
    }
    guard let first = obstacles.first else { return nil }
    switch first {
    case .noReply(let url, let target):
      let isSilent = obstacles.allSatisfy { if case .noReply = $0 { true } else { false } }
      return noReply(
        from: url, redirectedTo: target, within: timeout, rows: isSilent ? obstacles.count : 1)
    case .other(let complaint): return complaint
    case .noLogin: return nil
    }
  }

  private static func noLogin(_ reasons: [String], _ sentence: String?) -> Complaint {
    let counts = Set(reasons).sorted().map { reason in
      "\(reasons.count { $0 == reason }) × \(reason)"
    }
    let isElsewhere = reasons.allSatisfy(Remedy.isRefusedElsewhere)
    let parts = [
      "NOTHING LOADED: \(counts.joined(separator: ", ")).", sentence,
      isElsewhere ? Remedy.origin : Remedy.login,
    ]
    return Complaint(parts.compactMap(\.self).joined(separator: " "), exitStatus: 1)
  }
}
