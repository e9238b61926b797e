/// The links and pictures of a text, as GitHub and DocC follow them.
///
/// GitHub follows relative paths, and DocC `doc:` links. So an article links to another article of
/// its module with `[<a href="Name.md">Text</a>](doc:Name)`: DocC leaves out the HTML, and GitHub
/// shows the inner link. Pictures have their full file name, which both find.
struct Links {
  /// The paths, relative to the folder of the text, that the text leads to.
  private(set) var paths: [String] = []
  /// Links that one of the two cannot follow.
  private(set) var faults: [String] = []

  /// - Parameter text: The text without its blocks of code.
  init(in text: String) {
    for match in text.matches(of: /\]\(([^)\s]+)\)/) where !Self.isElsewhere(match.1) {
      paths.append(Self.path(match.1))
    }
    for match in text.matches(of: /(?:href|src)="([^"]+)"/) where !Self.isElsewhere(match.1) {
      paths.append(Self.path(match.1))
    }
    let paired = /\[<a href="([^"]+)\.md(#[^"]*)?">[^\]]*<\/a>\]\(doc:([^)#]+)(#[^)]*)?\)/
    for match in text.matches(of: paired) where match.1 != match.3 {
      faults.append("\(match.0) leads to two articles")
    }
    let single = text.replacing(paired, with: "")
    for match in single.matches(of: /<doc:[^>]*>|\[[^\]]*\]\(doc:[^)]*\)/) {
      faults.append("\(match.0) leads nowhere on GitHub")
    }
  }

  private static func isElsewhere(_ address: some StringProtocol) -> Bool {
    address.hasPrefix("http") || address.hasPrefix("doc:") || address.hasPrefix("#")
  }

  private static func path(_ address: some StringProtocol) -> String {
    // Badges: GitHub has the pages of workflows above the files.
    let badge = /^\.\.\/\.\.\/actions\/(workflows\/\w+\.yml)(\/badge\.svg)?$/
    return String(address.prefix { $0 != "#" }).replacing(badge, with: { ".github/\($0.1)" })
  }
}
