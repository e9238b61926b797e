/// What a person can do about rows that a server does not serve, in sentences.
enum Remedy {
  static let login =
    "The server wants a login, or refuses the one it got: --header 'Authorization: …', or "
    + "https://user:password@host, sends one."
  static let rights =
    "Other rows loaded, so the server may keep these for another login, which --header "
    + "'Authorization: …' sends."
  static let load =
    "The server limits requests: --slots 1 sends one after the other. If that is still too many, "
    + "raise its limit for the test."
  static let certificate =
    "fling trusts the certificates that the system trusts. On Debian and Ubuntu, "
    + "update-ca-certificates adds one; or use http://."
  static let place = "--path and --first say where the rows are."
  static let first =
    "The list's first row is missing: --first says where the rows begin, as in --first 1."
  static let count = "If the server has fewer rows, --rows says how many."
}

extension Figures {
  /// What may help against the failures; `nil` if nothing is known.
  var remedy: String? {
    if areMostFailures(401, 403) { return finished > 0 ? Remedy.rights : Remedy.login }
    if areMostFailures(429, 503) { return Remedy.load }
    guard let lowestMissingRow else { return nil }
    guard let highestLoadedRow else { return failures.count == 1 ? Remedy.place : nil }
    if lowestMissingRow == 0 { return Remedy.first }
    return lowestMissingRow > highestLoadedRow ? Remedy.count : nil
  }

  /// Whether more than half of the failures have one of these statuses.
  private func areMostFailures(_ statuses: Int...) -> Bool {
    let count = failures.filter { failure in
      statuses.contains { failure.key.hasPrefix("HTTP \($0)") }
    }.values.reduce(0, +)
    return 2 * count > failures.values.reduce(0, +)
  }
}
