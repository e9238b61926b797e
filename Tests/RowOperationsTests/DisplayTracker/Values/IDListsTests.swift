import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Lists over shared elements")
struct IDListsTests {
  typealias Lists = IDLists<Int>

  static func id(_ index: Int32) -> ID<Int> { ID(index: index) }

  @Test("Lists are in the order of appending; appending again moves to the end")
  func order() {
    var lists = Lists(lists: 2)
    for index in [3, 1, 2] as [Int32] { lists.append(Self.id(index), to: 0) }
    lists.append(Self.id(3), to: 0)
    #expect(lists.elements(in: 0).map(\.index) == [1, 2, 3])
    #expect(lists.first(in: 0) == Self.id(1))
    #expect(lists.count(in: 0) == 3)
  }

  @Test("An element is in one list at most")
  func oneList() {
    var lists = Lists(lists: 2)
    lists.append(Self.id(5), to: 0)
    lists.append(Self.id(5), to: 1)
    #expect(lists.list(of: Self.id(5)) == 1)
    #expect(lists.first(in: 0) == nil)
    #expect([lists.count(in: 0), lists.count(in: 1)] == [0, 1])
  }

  @Test("A walk along a list sees it as it was when the walk began")
  func walk() {
    var lists = Lists(lists: 1)
    for index in 0..<4 as Range<Int32> { lists.append(Self.id(index), to: 0) }
    var seen: [Int32] = []
    for id in lists.elements(in: 0) {
      seen.append(id.index)
      lists.remove(id)
      lists.remove(Self.id(3))
    }
    #expect(seen == [0, 1, 2, 3])
    #expect(lists.count(in: 0) == 0)
  }

  // MARK: Against arrays

  enum Operation: Hashable {
    case append(Int32, to: Int)
    case remove(Int32)
  }

  static func apply(_ operation: Operation, to lists: inout Lists) {
    switch operation {
    case .append(let index, let list): lists.append(id(index), to: list)
    case .remove(let index): lists.remove(id(index))
    }
  }

  static func complaint(
    _ operations: [Operation], lists count: Int,
    apply: (Operation, inout Lists) -> Void = { apply($0, to: &$1) }
  ) -> String? {
    var lists = Lists(lists: count)
    var model: [[Int32]] = Array(repeating: [], count: count)
    for operation in operations {
      apply(operation, &lists)
      switch operation {
      case .append(let index, let list):
        for other in model.indices { model[other].removeAll { $0 == index } }
        model[list].append(index)
      case .remove(let index):
        for other in model.indices { model[other].removeAll { $0 == index } }
      }
      for (list, expected) in model.enumerated() {
        let found = lists.elements(in: list).map(\.index)
        if found != expected { return "list \(list) is \(found), not \(expected)" }
        if lists.count(in: list) != expected.count { return "list \(list) counts wrongly" }
        if lists.first(in: list)?.index != expected.first { return "list \(list) begins wrongly" }
      }
      for index in 0..<12 as Range<Int32>
      where lists.list(of: id(index)) != model.firstIndex(where: { $0.contains(index) }) {
        return "it is wrong about the list of \(index)"
      }
    }
    return nil
  }

  @Test("All short sequences leave what they leave in arrays")
  func all() {
    let alphabet = (0..<3).flatMap { index in
      [Operation.append(index, to: 0), .append(index, to: 1), .remove(index)]
    }
    let failure = ModelTrial.allSequences(of: alphabet, length: 4) {
      Self.complaint($0, lists: 2)
    }
    #expect(failure == nil)
  }

  static func operation(using random: inout SeededGenerator) -> Operation {
    let index = Int32.random(in: 0..<12, using: &random)
    guard Int.random(in: 0..<3, using: &random) > 0 else { return .remove(index) }
    return .append(index, to: Int.random(in: 0..<3, using: &random))
  }

  @Test("Long random sequences do, too")
  func random() {
    let failure = ModelTrial.randomWalks(operation: Self.operation) {
      Self.complaint($0, lists: 3)
    }
    #expect(failure == nil)
  }

  @Test("Lists in which appending again changes nothing are found out")
  func broken() {
    let failure = ModelTrial.randomWalks(operation: Self.operation) { operations in
      Self.complaint(operations, lists: 3) { operation, lists in
        if case .append(let index, let list) = operation, lists.list(of: Self.id(index)) == list {
          return
        }
        Self.apply(operation, to: &lists)
      }
    }
    #expect(failure?.hasPrefix("seed 0") == true)
  }
}
