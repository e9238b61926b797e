/// The values that a tracker keeps for unclaimed rows.
///
/// Beyond the limit, the value goes first whose row lost its last claim, or got it unclaimed, the
/// longest ago. Values of claimed rows are never dropped.
public enum Retention<Value> {
  /// Keeps no values: a value is dropped with its row's last claim.
  case none
  case all
  /// Keeps this many values, claimed ones included.
  case count(Int)
  /// Keeps values up to a total cost, claimed ones included.
  ///
  /// The unit is yours. `cost` is called once for each value, on the main actor.
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
