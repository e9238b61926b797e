import AsyncOperations

private enum Rules {
  //@ /// Finishes when the app calls `finish()`; operations that need the login depend on it.
}
