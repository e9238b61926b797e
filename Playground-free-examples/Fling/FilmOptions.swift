extension Options {
  /// Whether the rows of both runs are shown, in place of one run's figures.
  var showsRows: Bool { film != nil || watches }

  /// The values of options that are not given: for a film, flings and loads that show the
  /// difference.
  static func defaults(for arguments: [String]) -> Options {
    var options = Options()
    if arguments.contains(where: { $0 == "--watch" || $0.split(separator: "=").first == "--film" })
    {
      options.velocity = 6
      options.latency = 800...1200
      options.slots = 6
    }
    return options
  }

  /// Under which a film is recorded; the latency of a foreign server is unknown.
  var filmConditions: [String] {
    guard origin == nil else { return ["\(slots) loads run at once"] }
    return [
      "loads take \(latency.lowerBound)", "to \(latency.upperBound) ms,", "\(slots) run at once",
    ]
  }

  /// Throws if an option has no effect on a film.
  func checkFilm() throws {
    let others = [
      ("--compare", compares), ("--json", printsJSON), ("--picture", picture != nil),
      ("--trace", trace != nil), ("--record", recording != nil), ("--export", export != nil),
    ]
    guard showsRows, let other = others.first(where: \.1) else { return }
    let name = film != nil ? "--film" : "--watch"
    throw Complaint("\(name) and \(other.0) exclude each other.")
  }
}
