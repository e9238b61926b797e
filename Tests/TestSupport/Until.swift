/// Waits until a condition holds, or until the time limit of the test cancels its task.
func until(isolation: isolated (any Actor)? = #isolation, _ holds: () -> Bool) async {
  while !holds(), !Task.isCancelled { await Task.yield() }
}
