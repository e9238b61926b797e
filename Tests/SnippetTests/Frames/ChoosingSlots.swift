import RowOperations

private func limits(_ configuration: inout TrackerConfiguration<Int, String>) {
  //@ configuration.slots = UpdateSlots(8, stageLimits: [.decode: 2])
}
