extension OperationMisuse.Code {
  /// Two consecutive layouts showed a cell bound to a row other than that of its index path;
  /// nothing was changed.
  public static let staleCell = OperationMisuse.Code(name: "staleCell")
  /// Trackers were not added to a list, since their closure takes other ids than those of the list.
  public static let otherIDs = OperationMisuse.Code(name: "otherIDs")
}
