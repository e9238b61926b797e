import RowOperations

private struct Photo: Identifiable {
  let id: Int
}

private struct Thumbnail {}

private func thumbnail(of id: Photo.ID) async throws -> Thumbnail { Thumbnail() }

@MainActor
private func limits() {
  //@ var configuration = TrackerConfiguration<Photo.ID, Thumbnail>()
  _ = tracker
}
