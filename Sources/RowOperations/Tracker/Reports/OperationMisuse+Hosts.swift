extension OperationMisuse.Code {
  /// The renders of a cell went on binding it to other rows or none; the last change was ignored.
  public static let endlessBinding = OperationMisuse.Code(name: "endlessBinding")
  /// A view was bound in a host that is the view itself or is inside it; the host was ignored.
  public static let hostCircle = OperationMisuse.Code(name: "hostCircle")
}
