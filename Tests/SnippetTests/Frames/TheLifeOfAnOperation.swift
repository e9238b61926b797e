import AsyncOperations

private func startCall(_ done: @escaping @Sendable () -> Void) { done() }

private enum States {
  //@ final class Call: AsyncOperation, @unchecked Sendable {
}

private enum Rules {
  //@ /// Finishes when the app calls `finish()`; operations that need the login depend on it.
}
