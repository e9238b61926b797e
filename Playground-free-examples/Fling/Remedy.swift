/// What a person can do about rows that a server does not serve, in sentences.
enum Remedy {
  static let login =
    "--header 'Authorization: …', or https://user:password@host, logs in."
  static let place = "--path and --first say where the rows are."
  static let first =
    "The list's first row is missing: --first says where the rows begin, as in --first 1."
  static let count = "If the server has fewer rows, --rows says how many."
}

extension Figures {
  /// What may help against the failures; `nil` if nothing is known.
  var remedy: String? {
    let denied = (failures["HTTP 401"] ?? 0) + (failures["HTTP 403"] ?? 0)
    if 2 * denied > failures.values.reduce(0, +) { return Remedy.login }
    guard let lowestMissingRow else { return nil }
    guard let highestLoadedRow else { return failures.count == 1 ? Remedy.place : nil }
    if lowestMissingRow == 0 { return Remedy.first }
    return lowestMissingRow > highestLoadedRow ? Remedy.count : nil
  }
}
