extension Verdict {
  /// Judges the server by its redirects and by the numbers in its documents.
  ///
  /// The list is not to blame for a document that the row's own request returned.
  ///
  /// - Parameter origin: A sentence that says where a row comes from.
  mutating func checkReplies(
    of figures: Figures, _ prefix: String, _ origin: (Int) -> String?
  ) {
    if let target = figures.sharedTarget {
      fail("\(prefix)ALL ROWS WERE REDIRECTED to one document: \(target).")
    } else if let reply = figures.misnamedReply {
      checkNumbers(figures, reply, prefix, origin(reply.row).map { " \($0)" } ?? "")
    } else if figures.rowsShown > 0, figures.rowsChecked == 0 {
      remark(
        "\(prefix)NO ROW WAS CHECKED against its document: none names its row in a number \"row\"."
          + figures.clearingTheList)
    }
  }

  private mutating func checkNumbers(
    _ figures: Figures, _ reply: MisnamedReply, _ prefix: String, _ place: String
  ) {
    let count = figures.repliesNamingAnotherRow
    let requests = count == 1 ? "1 request" : "\(count) requests"
    let redirect = reply.redirectedTo.map { ", after a redirect to \($0)" } ?? ""
    if figures.rowNumbers == .rows {
      fail(
        "\(prefix)The server answered \(requests) with another row's document: row \(reply.number) "
          + "was answered with row \(reply.namedNumber)'s document\(redirect).\(place)"
          + figures.clearingTheList)
    } else {
      remark(
        "\(prefix)\(requests) \(count == 1 ? "was" : "were") answered with another row's document, "
          + "by the server or by the system's HTTP client, if the number \"row\" in it means the "
          + "row: the document for row \(reply.number) has the number "
          + "\(reply.namedNumber)\(redirect).\(place)")
    }
  }
}

extension Figures {
  /// That the list is right, if it is.
  fileprivate var clearingTheList: String {
    mixedUpRows > 0 ? "" : " Each row showed what its own request returned."
  }
}
