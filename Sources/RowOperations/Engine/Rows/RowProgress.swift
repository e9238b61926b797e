/// The progress of a row's load, for a caller that waits for its next end.
enum RowProgress: Hashable, Sendable {
  case waiting
  /// The load runs, with this generation.
  case running(UInt64)
  /// An attempt has ended, or none will start.
  case over
}
