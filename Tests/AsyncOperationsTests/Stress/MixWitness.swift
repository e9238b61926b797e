@testable import AsyncOperations
@testable import TestSupport

/// Notes violations of the rules.
final class MixWitness: Sendable {
  /// An operation or a task that may have a turn.
  final class Holder: Sendable {
    let categories: [ExclusionCategory]

    init(_ categories: [ExclusionCategory]) { self.categories = categories }
  }

  private struct Guarded {
    var inside: [ExclusionCategory: [ObjectIdentifier: Int]] = [:]
    var cancelled: Set<ObjectIdentifier> = []
    var violations: [String] = []
  }

  private let guarded = Box(Guarded())

  var violations: [String] { guarded.value.violations }

  func violated(_ rule: String) { guarded.change { $0.violations.append(rule) } }

  func enter(_ holder: Holder?) {
    guard let holder else { return }
    guarded.change { guarded in
      for category in holder.categories {
        guarded.inside[category, default: [:]][ObjectIdentifier(holder), default: 0] += 1
        if guarded.inside[category, default: [:]].count > category.limit {
          guarded.violations.append("more ran in a category than its limit")
        }
      }
    }
  }

  func leave(_ holder: Holder?) {
    guard let holder else { return }
    guarded.change { guarded in
      for category in holder.categories {
        let count = guarded.inside[category]?[ObjectIdentifier(holder)] ?? 0
        guarded.inside[category]?[ObjectIdentifier(holder)] = count > 1 ? count - 1 : nil
      }
    }
  }

  /// A call of `cancel()` has returned.
  func cancelled(_ operation: AsyncOperation) {
    guard operation.isCancelled else { return }
    guarded.change { _ = $0.cancelled.insert(ObjectIdentifier(operation)) }
  }

  func wasCancelled(_ operation: AsyncOperation) -> Bool {
    guarded.value.cancelled.contains(ObjectIdentifier(operation))
  }
}
