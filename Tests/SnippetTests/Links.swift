/// The links and pictures of a text.
///
/// Pages of a module's catalogue link to each other as DocC has it, by `<doc:Page>`. All other
/// texts have relative paths, as code hosts follow them. Pictures have their full file name.
struct Links {
  /// The paths, relative to the folder of the text, that the text leads to.
  private(set) var paths: [String] = []
  /// Links that the reader of the text cannot follow.
  private(set) var faults: [String] = []

  /// - Parameter text: The text without its blocks of code.
  init(in text: String, isInCatalogue: Bool) {
    for match in text.matches(of: /(!?)\[[^\]]*\]\(([^)\s]+)\)/) {
      let isPage = match.2.hasPrefix("doc:")
      if isPage != isInCatalogue, match.1.isEmpty, !Self.isElsewhere(match.2) {
        faults.append(String(match.0))
      }
      if !Self.isElsewhere(match.2) { paths.append(Self.path(match.2)) }
    }
    for match in text.matches(of: /<doc:([^>]+)>/) {
      if !isInCatalogue { faults.append(String(match.0)) }
      paths.append(Self.path("doc:" + match.1))
    }
    for match in text.matches(of: /(?:href|src)="([^"]+)"/) where !Self.isElsewhere(match.1) {
      paths.append(Self.path(match.1))
    }
  }

  private static func isElsewhere(_ address: some StringProtocol) -> Bool {
    address.hasPrefix("http") || address.hasPrefix("#")
  }

  private static func path(_ address: some StringProtocol) -> String {
    // Badges: GitHub has the pages of workflows above the files.
    let badge = /^\.\.\/\.\.\/actions\/(workflows\/\w+\.yml)(\/badge\.svg)?$/
    let path = String(address.prefix { $0 != "#" }).replacing(badge, with: { ".github/\($0.1)" })
    return path.hasPrefix("doc:") ? path.dropFirst(4) + ".md" : path
  }
}
