import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("The waiting order against a sorted array")
struct WaitingOrderModelTests {
  typealias Place = WaitingOrder.Place

  enum Operation: Hashable {
    case place(Int32, Place)
    case remove(Int32)
  }

  /// Who waits, sorted whenever somebody asks.
  struct Model {
    var waiting: [(id: Int32, place: Place)] = []

    mutating func apply(_ operation: Operation) {
      switch operation {
      case .place(let id, let place):
        if self.place(of: id) == place { return }
        waiting.removeAll { $0.id == id }
        waiting.append((id, place))
      case .remove(let id):
        waiting.removeAll { $0.id == id }
      }
    }

    func place(of id: Int32) -> Place? { waiting.first { $0.id == id }?.place }

    func ids(newestPassFirst: Bool) -> [Int32] {
      let keys = waiting.enumerated().map { arrival, entry in
        switch entry.place {
        case .landing(let rank): (0, 0, Int(rank), arrival)
        case .displayed(let pass, let rank):
          (1, newestPassFirst ? -Int(pass) : Int(pass), Int(rank), arrival)
        case .prefetched(let rank): (2, 0, Int(rank), arrival)
        }
      }
      return keys.sorted(by: <).map { waiting[$0.3].id }
    }

    func first(newestPassFirst: Bool, where isWanted: (Place) -> Bool) -> Int32? {
      ids(newestPassFirst: newestPassFirst).first { id in place(of: id).map(isWanted) ?? false }
    }
  }

  static func apply(_ operation: Operation, to order: inout WaitingOrder) {
    switch operation {
    case .place(let id, let place): order.place(LoadID(index: id), at: place)
    case .remove(let id): order.remove(LoadID(index: id))
    }
  }

  static func complaint(
    _ operations: [Operation],
    apply: (Operation, inout WaitingOrder) -> Void = { apply($0, to: &$1) }
  ) -> String? {
    var (order, model) = (WaitingOrder(), Model())
    for operation in operations {
      apply(operation, &order)
      model.apply(operation)
      if let complaint = difference(order, model) { return complaint }
    }
    return nil
  }

  private static func difference(_ order: WaitingOrder, _ model: Model) -> String? {
    for newestPassFirst in [true, false] {
      let found = order.ids(newestPassFirst: newestPassFirst).map(\.index)
      let expected = model.ids(newestPassFirst: newestPassFirst)
      if found != expected { return "\(found), not \(expected)" }
      let first = model.first(newestPassFirst: newestPassFirst) { place in
        if case .displayed = place { true } else { false }
      }
      if order.firstDisplayed(newestPassFirst: newestPassFirst)?.index != first {
        return "the first displayed one is wrong"
      }
    }
    let landing = model.first(newestPassFirst: true) {
      if case .landing = $0 { true } else { false }
    }
    if order.firstLanding?.index != landing { return "the first landing one is wrong" }
    let prefetched = model.first(newestPassFirst: true) { place in
      if case .prefetched = place { true } else { false }
    }
    if order.firstPrefetched?.index != prefetched { return "the first prefetched one is wrong" }
    if order.count != model.waiting.count { return "it counts \(order.count)" }
    for id in 0..<12 as Range<Int32> {
      let place = order.place(of: LoadID(index: id))
      if place != model.place(of: id) { return "\(id) is at \(String(describing: place))" }
      if order.contains(LoadID(index: id)) != (place != nil) { return "it is wrong about \(id)" }
    }
    return nil
  }

  @Test("All sequences of three steps with every kind of place keep the order")
  func allPlaces() {
    let places: [Place] = [
      .landing(rank: 0), .landing(rank: 1), .prefetched(rank: 0), .prefetched(rank: 1),
      .displayed(pass: 0, rank: 0), .displayed(pass: 1, rank: 0), .displayed(pass: 1, rank: 1),
    ]
    let alphabet = (0..<3).flatMap { id in
      places.map { Operation.place(id, $0) } + [.remove(id)]
    }
    #expect(ModelTrial.allSequences(of: alphabet, length: 3) { Self.complaint($0) } == nil)
  }

  @Test("All sequences of four steps keep passes that come, empty and come back in order")
  func allPasses() {
    let alphabet = (0..<3).flatMap { id in
      (0..<3).map { Operation.place(id, .displayed(pass: $0, rank: 0)) }
    }
    let withRemovals = alphabet + [.remove(0)]
    #expect(ModelTrial.allSequences(of: withRemovals, length: 4) { Self.complaint($0) } == nil)
  }

  static func operation(using random: inout SeededGenerator) -> Operation {
    let id = Int32.random(in: 0..<12, using: &random)
    let rank = UInt64.random(in: 0..<6, using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1: return .place(id, .landing(rank: rank))
    case 2, 3: return .place(id, .prefetched(rank: rank))
    case 4...6:
      return .place(id, .displayed(pass: .random(in: 0..<6, using: &random), rank: rank))
    default: return .remove(id)
    }
  }

  @Test("Long random sequences keep the order")
  func random() {
    let failure = ModelTrial.randomWalks(operation: Self.operation) { Self.complaint($0) }
    #expect(failure == nil)
  }

  @Test("An order that does not lower anybody is found out")
  func broken() {
    let failure = ModelTrial.randomWalks(operation: Self.operation) { operations in
      Self.complaint(operations) { operation, order in
        if case .place(let id, .prefetched) = operation, order.contains(LoadID(index: id)) {
          return
        }
        Self.apply(operation, to: &order)
      }
    }
    #expect(failure?.hasPrefix("seed 0") == true)
  }
}
