extension OperationError.Code {
  /// An update operation has no closure and does not override `update(_:)`.
  public static let missingUpdate = OperationError.Code(number: 101)
  /// A tracker got an operation of another row, or one that has started.
  public static let unusableOperation = OperationError.Code(number: 102)
  /// The answer to a batch has no value for a row.
  ///
  /// Only `retry(_:)`, `retryFailed()`, `invalidate(_:)` and `refresh(_:)` load the row again.
  public static let missingFromBatch = OperationError.Code(number: 103)
  /// The stream of a live row ended before its first element.
  public static let endedWithoutValue = OperationError.Code(number: 104)
}
