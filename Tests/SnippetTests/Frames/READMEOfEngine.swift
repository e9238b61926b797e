import RowOperations

private func overview() -> [TrackerInput<Int, Character>] {
  //@ let inputs: [TrackerInput<Int, Character>] = [
  return inputs
}
