extension Verdict {
  /// Judges the server by its redirects and by the numbers in its documents.
  ///
  /// The list is not to blame for a document that the row's own request returned.
  ///
  /// - Parameter origin: A sentence that says where a row comes from.
  mutating func checkReplies(
    of figures: Figures, _ prefix: String, _ origin: (Int) -> String?
  ) {
    if let target = figures.sharedTarget, figures.rowNumbers != .rows {
      fail("\(prefix)ALL ROWS WERE REDIRECTED to one address: \(target).")
    } else if figures.sharedDocument?.isOnlyOne == true {
      let sentences = [origin(0), "The document may be an error.", Remedy.place]
      fail(
        "\(prefix)ALL ROWS THAT LOADED HAVE ONE DOCUMENT, byte for byte. "
          + sentences.compactMap(\.self).joined(separator: " "))
    } else if let reply = figures.misnamedReply {
      checkNumbers(figures, reply, prefix, origin(reply.row).map { " \($0)" } ?? "")
    } else if figures.rowsShown > 0, figures.rowsChecked == 0 {
      remark(
        "\(prefix)NO ROW WAS CHECKED against its document: none has a whole number in its "
          + "field \"\(figures.numberField)\".\(figures.numberAdvice)\(figures.clearingTheList)")
    }
    checkSameDocuments(figures, prefix, origin)
    checkUnnumbered(figures, prefix, origin)
    if let path = figures.sharedPath, figures.rowNumbers != .rows {
      remark(
        "\(prefix)All rows were redirected to \(path), each with a query of its own. If that is a "
          + "page such as a login, no row was loaded.")
    }
  }

  /// Names the document that several rows got, if not all did.
  private mutating func checkSameDocuments(
    _ figures: Figures, _ prefix: String, _ origin: (Int) -> String?
  ) {
    guard figures.sharedTarget == nil, let shared = figures.sharedDocument, !shared.isOnlyOne
    else { return }
    let sentence =
      "\(prefix)\(shared.rows) rows have one document, byte for byte, which may be an error."
      + (origin(shared.firstRow).map { " \($0)" } ?? "")
    if shared.isForMost { fail(sentence) } else { remark(sentence) }
  }

  /// Names the rows that cannot be checked, if others can.
  private mutating func checkUnnumbered(
    _ figures: Figures, _ prefix: String, _ origin: (Int) -> String?
  ) {
    guard figures.rowNumbers == .rows, let row = figures.firstWithoutNumber else { return }
    let count = figures.rowsWithoutNumber
    let rows = count == 1 ? "1 row was" : "\(count) rows were"
    remark(
      "\(prefix)\(rows) not checked, as no whole number is in the field "
        + "\"\(figures.numberField)\".\(origin(row).map { " \($0)" } ?? "")")
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
      let replies = figures.repliesNamingARow == 1 ? "reply" : "replies"
      let verb = count == 1 ? "was" : "were"
      remark(
        "\(prefix)If the number \"\(figures.numberField)\" means the row, \(count) of "
          + "\(figures.repliesNamingARow) \(replies) \(verb) another row's document: the one for row "
          + "\(reply.number) has the number \(reply.namedNumber)\(redirect)."
          + place + figures.commonDifference + figures.numberAdvice)
    }
  }
}

extension Figures {
  /// By how much all numbers of other rows differ from those of their rows, if by the same.
  fileprivate var commonDifference: String {
    if let onlyNumber { return " All of them have the number \(onlyNumber)." }
    guard let difference = numberDifference else { return "" }
    let relation = difference > 0 ? "higher" : "lower"
    let guess =
      repliesNamingAnotherRow < repliesNamingARow
      ? "" : ": perhaps the documents count from another number than the addresses"
    return " Each of them has a number \(difference.magnitude) \(relation) than its row's\(guess)."
  }

  /// The field that would do, if there is one.
  fileprivate var numberAdvice: String {
    likelyNumberField.map {
      " --number \($0) checks them: in each of these documents it is the row's number."
    } ?? ""
  }

  /// That the list is right, if it is.
  fileprivate var clearingTheList: String {
    mixedUpRows > 0 ? "" : " Each row showed what its own request returned."
  }
}
