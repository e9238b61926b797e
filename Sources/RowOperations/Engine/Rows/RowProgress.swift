/// For a caller that waits for the next end of a load.
enum RowProgress: Hashable, Sendable {
  case waiting
  case running(UInt64)
  /// An attempt has ended, or none will start.
  case over
}
