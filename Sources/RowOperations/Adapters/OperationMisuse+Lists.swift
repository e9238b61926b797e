extension OperationMisuse.Code {
  /// A view was bound in a host that is the view itself or is inside it; the host was ignored.
  public static let hostCircle = OperationMisuse.Code(name: "hostCircle")
  /// Two consecutive layouts showed a cell bound to a row other than that of its index path;
  /// nothing was changed.
  public static let staleCell = OperationMisuse.Code(name: "staleCell")
  /// Trackers were added to a list by a closure that takes other ids than those of the list; they
  /// were not added.
  public static let otherIDs = OperationMisuse.Code(name: "otherIDs")
}
