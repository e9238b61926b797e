extension OperationMisuse.Code {
  /// Two consecutive layouts showed a cell with another row than that of its index path; nothing
  /// was changed.
  public static let staleCell = OperationMisuse.Code(name: "staleCell")
  /// Trackers were not added to a list, since their closure takes other ids.
  public static let otherIDs = OperationMisuse.Code(name: "otherIDs")
}
