import RowOperationsTesting

/// Compares a subject with a naive model, over all short and over long random sequences.
///
/// Both functions take a closure that plays operations on a new subject and a new model, and
/// returns their first difference. They return `nil` if there is no difference.
enum ModelTrial {
  /// Tries all sequences of a length, and so all shorter ones.
  static func allSequences<Operation>(
    of alphabet: [Operation], length: Int, complaint: ([Operation]) -> String?
  ) -> String? {
    var digits = Array(repeating: 0, count: length)
    while true {
      let operations = digits.map { alphabet[$0] }
      if let complaint = complaint(operations) { return "\(complaint) after \(operations)" }
      guard let place = digits.lastIndex(where: { $0 < alphabet.count - 1 }) else { return nil }
      digits[place] += 1
      for later in digits.indices where later > place { digits[later] = 0 }
    }
  }

  /// Tries random sequences; a failure names its seed and its shortest operations.
  static func randomWalks<Operation>(
    _ walks: UInt64 = 50, length: Int = 200,
    operation: (inout SeededGenerator) -> Operation, complaint: ([Operation]) -> String?
  ) -> String? {
    for seed in 0..<walks {
      var random = SeededGenerator(seed: seed)
      let operations = (0..<length).map { _ in operation(&random) }
      guard complaint(operations) != nil else { continue }
      let short = shrunk(operations, while: { complaint($0) != nil })
      return "seed \(seed): \(complaint(short) ?? "") after \(short)"
    }
    return nil
  }

  /// Removes operations without which the trial still fails.
  private static func shrunk<Operation>(
    _ operations: [Operation], while fails: ([Operation]) -> Bool
  ) -> [Operation] {
    var short = operations
    for index in operations.indices.reversed() where index < short.count {
      var candidate = short
      candidate.remove(at: index)
      if fails(candidate) { short = candidate }
    }
    return short
  }
}
