/// The loads of rows that share a resource, and back.
struct ResourceTable {
  private var loads: [AnyHashable: LoadID] = [:]
  private var resources: [LoadID: AnyHashable] = [:]

  func load(of resource: AnyHashable) -> LoadID? { loads[resource] }

  mutating func insert(_ resource: AnyHashable, as load: LoadID) {
    loads[resource] = load
    resources[load] = resource
  }

  mutating func remove(_ load: LoadID) {
    guard !resources.isEmpty, let resource = resources.removeValue(forKey: load) else { return }
    if loads[resource] == load { loads[resource] = nil }
  }
}
