/// A dictionary that keeps its newest entries, up to a limit.
struct RecentTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let limit: Int
  private var entries: [Key: (value: Value, stamp: UInt64)] = [:]
  /// In the order of arrival, with some removed keys.
  private var order: [(key: Key, stamp: UInt64)] = []
  private var first = 0
  private var lastStamp: UInt64 = 0

  init(limit: Int = 4096) { self.limit = limit }

  var count: Int { entries.count }
  var places: Int { order.count }
  var keys: [Key] { Array(entries.keys) }
  var values: [Value] { entries.values.map(\.value) }

  subscript(_ key: Key) -> Value? {
    get { entries[key]?.value }
    set {
      guard let newValue else { return entries[key] = nil }
      if entries[key] != nil {
        entries[key]?.value = newValue
      } else {
        add(newValue, key)
      }
    }
  }

  private mutating func add(_ value: Value, _ key: Key) {
    lastStamp += 1
    entries[key] = (value, lastStamp)
    order.append((key, lastStamp))
    while entries.count > limit, first < order.count {
      let oldest = order[first]
      if isLive(oldest) { entries[oldest.key] = nil }
      first += 1
    }
    if order.count > 2 * limit + 16 {
      order = order[first...].filter(isLive)
      first = 0
    }
  }

  private func isLive(_ place: (key: Key, stamp: UInt64)) -> Bool {
    entries[place.key]?.stamp == place.stamp
  }
}
