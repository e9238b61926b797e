import RowOperations

private struct Thumbnail {
  let byteCount: Int
}

private func retention(_ configuration: inout TrackerConfiguration<Int, Thumbnail>) {
  //@ configuration.retention = .cost(limit: 64 << 20) { $0.byteCount }  // 64 MB; choose yours.
}
