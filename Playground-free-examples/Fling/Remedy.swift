/// What a person can do about rows that a server does not serve, in sentences.
enum Remedy {
  static let login =
    "--header 'Authorization: …', or https://user:password@host, logs in."
  static let place = "--path and --first say where the rows are."
  static let count = "If the server has fewer rows, --rows says how many."
}

extension Figures {
  /// What may help against the failures; `nil` if nothing is known.
  var remedy: String? {
    if failures["HTTP 401"] != nil || failures["HTTP 403"] != nil { return Remedy.login }
    guard let lowestMissingRow else { return nil }
    guard let highestLoadedRow else { return failures.count == 1 ? Remedy.place : nil }
    return lowestMissingRow > highestLoadedRow ? Remedy.count : nil
  }
}
