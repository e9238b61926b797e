extension OperationMisuse.Code {
  /// A cell's renders went on binding it to other rows; the last change was ignored.
  public static let endlessBinding = OperationMisuse.Code(name: "endlessBinding")
  /// A rate of no starts was ignored.
  public static let noStarts = OperationMisuse.Code(name: "noStarts")
  /// A view was bound in a host that is or lies inside the view; the host was ignored.
  public static let hostCircle = OperationMisuse.Code(name: "hostCircle")
}
