import RowOperations

private enum IsolatedByDefault {
  //@ nonisolated struct Photo: Hashable, Identifiable, Sendable {
}

@MainActor
private func caption(of photo: IsolatedByDefault.Photo) async throws -> String { photo.title }
