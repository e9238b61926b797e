/// Which values a tracker keeps for rows that nothing claims at the moment.
///
/// The least recently displayed or committed ones go first; those that were prefetched and not seen
/// yet go after all others. The value of a displayed or landing row never goes.
public enum Retention<Value> {
  /// None: a value goes with its row's last claim.
  ///
  /// Prefetched values wait for their display, as many as the configuration's `prefetchLimit`,
  /// until the list jumps elsewhere.
  case none
  /// All of them.
  case all
  /// As long as there are no more than so many values in all, claimed ones included.
  case count(Int)
  /// As long as all values, claimed ones included, cost no more than the limit together.
  ///
  /// The unit is yours: bytes, pixels. `cost` is called once for each value, on the main actor.
  case cost(limit: Int, cost: (Value) -> Int)

  var countLimit: Int? {
    switch self {
    case .none: 0
    case .count(let count): max(count, 0)
    case .all, .cost: nil
    }
  }

  var costLimit: Int? {
    guard case .cost(let limit, _) = self else { return nil }
    return max(limit, 0)
  }

  func cost(of value: Value) -> Int {
    guard case .cost(_, let cost) = self else { return 0 }
    return max(cost(value), 0)
  }
}
