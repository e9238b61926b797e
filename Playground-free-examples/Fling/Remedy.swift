/// What a person can do about rows that a server does not serve, in sentences.
enum Remedy {
  static let login =
    "The server wants a login, or refuses the one it got: --header 'Authorization: …', or "
    + "https://user:password@host, sends one."
  static let origin =
    "--header and a password go to no other origin: give that one as --origin."
  static let rights =
    "Other rows loaded, so the login may have ended, or these rows need another one, which "
    + "--header 'Authorization: …' sends."
  static let refusal = "The server refuses requests at present."
  static let slots =
    "The server may limit requests: --slots 1 sends one after the other. If that is still too "
    + "fast, raise the limit for the test."
  static let pace =
    "The server may limit how many requests it takes in a time: raise the limit for the test, or "
    + "try a lower --velocity."
  static let connections =
    "If the server takes few connections at once, --slots 1 opens the fewest."
  static let place = "--path and --first say where the rows are."
  static let count = "If the server has fewer rows, --rows says how many."
  static let certificate =
    "fling trusts the certificates that the system trusts. On Debian and Ubuntu, "
    + "update-ca-certificates adds one; or use http://."

  /// Whether a reason for failures is a login that another origin wants.
  static func isRefusedElsewhere(_ reason: String) -> Bool {
    ["HTTP 401", "HTTP 403"].contains { reason.hasPrefix($0) }
      && reason.contains(" after a redirect to http")
  }

  /// - Parameter number: That of the lowest row that loaded, on the server.
  static func first(_ number: Int) -> String {
    "The list's first row is missing. The lowest row that loaded is \(number): "
      + "try --first \(number)."
  }
}

extension Figures {
  /// What may help against the failures; `nil` if nothing is known.
  var remedy: String? {
    if areMostFailures({ Remedy.isRefusedElsewhere($0) }) { return Remedy.origin }
    if areMostFailures(401, 403) { return finished > 0 ? Remedy.rights : Remedy.login }
    if areMostFailures(429, 503) { return limitRemedy }
    guard let lowestMissingRow else {
      let isCut = areMostFailures { ["timed out", "connection cut"].contains($0) }
      return isCut && lowestLoadedRow != nil && slots > 1 ? Remedy.connections : nil
    }
    guard let lowestLoadedRow, let highestLoadedRow else {
      return failures.count == 1 ? Remedy.place : nil
    }
    if lowestMissingRow == 0, lowestLoadedRow > 0 {
      return Remedy.first(lowestLoadedRow + firstNumber)
    }
    return lowestMissingRow > highestLoadedRow ? Remedy.count : nil
  }

  private var limitRemedy: String {
    let sentence = finished == 0 ? Remedy.refusal : slots > 1 ? Remedy.slots : Remedy.pace
    guard let longestRetryAfter else { return sentence }
    return "\(sentence) Its longest Retry-After is \(String(format: "%.0f", longestRetryAfter)) s."
  }

  /// Whether more than half of the failures have one of these statuses.
  private func areMostFailures(_ statuses: Int...) -> Bool {
    areMostFailures { reason in statuses.contains { reason.hasPrefix("HTTP \($0)") } }
  }

  /// Whether more than half of the failures have such a reason.
  private func areMostFailures(_ isSuch: (String) -> Bool) -> Bool {
    let count = failures.filter { isSuch($0.key) }.values.reduce(0, +)
    return 2 * count > failures.values.reduce(0, +)
  }
}
