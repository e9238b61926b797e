extension Duration {
  /// The whole duration in milliseconds.
  package var milliseconds: Double {
    self / .milliseconds(1)
  }
}
