import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Slab")
struct SlabTests {
  @Test("An element keeps its place until it is removed, and the place is then reused")
  func places() {
    var slab = Slab<RowKind, String>()
    let (a, b) = (slab.insert("a"), slab.insert("b"))
    #expect([slab[a], slab[b]] == ["a", "b"])
    slab.remove(a)
    #expect(!slab.contains(a))
    #expect(slab[b] == "b")
    let c = slab.insert("c")
    #expect(c == a)
    #expect([slab[c], slab[b]] == ["c", "b"])
  }

  @Test("The removal of a missing element changes nothing")
  func removedTwice() {
    var slab = Slab<RowKind, String>()
    let a = slab.insert("a")
    slab.remove(a)
    slab.remove(a)
    slab.remove(RowID(index: 7))
    #expect(slab.count == 0)
    // A place that is freed twice would go to two elements.
    #expect(slab.insert("b") != slab.insert("c"))
  }

  @Test("A large slab releases its memory with its last element, and a small one keeps it")
  func memory() {
    for (size, kept) in [(1_024, 1_024), (1_025, 0)] {
      var slab = Slab<RowKind, Int>()
      let ids = (0..<size).map { slab.insert($0) }
      var held: Int? {
        Mirror(reflecting: slab).descendant("elements").map {
          Mirror(reflecting: $0).children.count
        }
      }
      for id in ids.dropLast() { slab.remove(id) }
      #expect(slab[ids[size - 1]] == size - 1 && slab.count == 1 && held == size)
      slab.remove(ids[size - 1])
      #expect(slab.count == 0 && held == kept)
      #expect(!ids.contains { slab.contains($0) })
    }
  }

  // MARK: Against a dictionary

  enum Operation: Hashable {
    case insert
    case remove(Int32)
    case change(Int32)
  }

  static func complaint(
    _ operations: [Operation],
    remove: (RowID, inout Slab<RowKind, Int>) -> Void = { $1.remove($0) }
  ) -> String? {
    var slab = Slab<RowKind, Int>()
    var model: [RowID: Int] = [:]
    for (step, operation) in operations.enumerated() {
      switch operation {
      case .insert:
        let id = slab.insert(step)
        if model.updateValue(step, forKey: id) != nil { return "\(id) is assigned twice" }
      case .remove(let index):
        remove(RowID(index: index), &slab)
        model[RowID(index: index)] = nil
      case .change(let index):
        guard model[RowID(index: index)] != nil else { continue }
        slab[RowID(index: index)] += 1000
        model[RowID(index: index)]? += 1000
      }
      if slab.count != model.count { return "the count is \(slab.count), not \(model.count)" }
      let ids = Array(slab.ids)
      if ids.count != model.count || Set(ids) != Set(model.keys) { return "the ids are \(ids)" }
      for id in (0..<10).map({ RowID(index: $0) }) where slab.contains(id) != (model[id] != nil) {
        return "\(id) has a wrong element"
      }
      if let (id, value) = model.first(where: { slab[$0] != $1 }) {
        return "\(id) is \(slab[id]), not \(value)"
      }
    }
    return nil
  }

  @Test("A slab agrees with a dictionary after all short sequences")
  func all() {
    let alphabet = [.insert] + (0..<3).flatMap { [Operation.remove($0), .change($0)] }
    #expect(ModelTrial.allSequences(of: alphabet, length: 5) { Self.complaint($0) } == nil)
  }

  static func operation(using random: inout SeededGenerator) -> Operation {
    let index = Int32.random(in: 0..<9, using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0, 1: return .remove(index)
    case 2: return .change(index)
    default: return .insert
    }
  }

  @Test("A slab agrees with a dictionary after long random sequences")
  func random() {
    let failure = ModelTrial.randomWalks(operation: Self.operation) { Self.complaint($0) }
    #expect(failure == nil)
  }

  @Test("The check detects a slab that never frees its first place")
  func broken() {
    let failure = ModelTrial.randomWalks(operation: Self.operation) { operations in
      Self.complaint(operations) { id, slab in
        if id.index != 0 { slab.remove(id) }
      }
    }
    #expect(failure?.hasPrefix("seed 0") == true)
  }
}
