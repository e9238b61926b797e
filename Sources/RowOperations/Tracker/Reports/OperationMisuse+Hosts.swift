extension OperationMisuse.Code {
  /// A view was bound in a host that is the view itself or is inside it; the host was ignored.
  public static let hostCircle = OperationMisuse.Code(name: "hostCircle")
}
