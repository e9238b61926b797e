import Testing

extension ExitTest.Result? {
  /// Whether the process of an exit test crashed.
  ///
  /// A process that hangs ends by its watchdog, with an exit status, so it did not crash.
  var isCrash: Bool {
    if case .signal = self?.exitStatus { true } else { false }
  }
}
