@testable import Kit

extension Variant {
  /// The plain variant, one for each switch, and one for each number.
  static var each: [Variant] {
    let numbers: [(inout Variant) -> Void] = [
      { $0.preparedAhead = 3 }, { ($0.preparedAhead, $0.returnsPreparedCells) = (3, true) },
      { $0.keptCells = 2 }, { ($0.batchLaysOut, $0.layoutsInBatch) = (true, 2) },
      { $0.extraPasses = 0.5 }, { $0.commitsWithoutObservers = 0.5 }, { $0.framesOfLateDrag = 2 },
    ]
    let switches = flags.map { flag in
      { (variant: inout Variant) in variant[keyPath: flag].toggle() }
    }
    return ([{ _ in }] + switches + numbers).map { change in
      var variant = Variant()
      change(&variant)
      return variant
    }
  }
}
