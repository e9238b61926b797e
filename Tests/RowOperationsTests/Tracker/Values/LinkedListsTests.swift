import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Linked lists over shared elements")
struct LinkedListsTests {
  enum List: Int8, CaseIterable {
    case first
    case second
    case third
  }

  typealias Lists = LinkedLists<Int, List>

  static func id(_ index: Int32) -> ID<Int> { ID(index: index) }

  @Test("A list keeps the order of appending; a second append moves an element to the end")
  func order() {
    var lists = Lists()
    for index in [3, 1, 2] as [Int32] { lists.append(Self.id(index), to: .first) }
    lists.append(Self.id(3), to: .first)
    #expect(lists.elements(in: .first).map(\.index) == [1, 2, 3])
    #expect(lists.first(in: .first) == Self.id(1))
    #expect(lists.count(in: .first) == 3)
  }

  @Test("Empty lists keep their table until its memory is released, as the next element needs it")
  func table() {
    var lists = Lists()
    var size: Int? {
      Mirror(reflecting: lists).descendant("links").map { Mirror(reflecting: $0).children.count }
    }
    for _ in 0..<2 {
      lists.append(Self.id(5_000), to: .first)
      #expect(size == 5_001)
      lists.remove(Self.id(5_000))
      #expect(size == 5_001)
    }
    lists.releaseMemory()
    #expect(size == 0)
  }

  @Test("An element is in at most one list")
  func oneList() {
    var lists = Lists()
    lists.append(Self.id(5), to: .first)
    lists.append(Self.id(5), to: .second)
    #expect(lists.list(of: Self.id(5)) == .second)
    #expect(lists.first(in: .first) == nil)
    #expect([lists.count(in: .first), lists.count(in: .second)] == [0, 1])
  }

  @Test("A walk along a list sees the state at the beginning of the walk")
  func walk() {
    var lists = Lists()
    for index in 0..<4 as Range<Int32> { lists.append(Self.id(index), to: .first) }
    var seen: [Int32] = []
    for id in lists.elements(in: .first) {
      seen.append(id.index)
      lists.remove(id)
      lists.remove(Self.id(3))
    }
    #expect(seen == [0, 1, 2, 3])
    #expect(lists.count(in: .first) == 0)
  }

  // MARK: Against arrays

  enum Operation: Hashable {
    case append(Int32, to: List)
    /// After the first element of the list, or alone.
    case insertSecond(Int32, into: List)
    case remove(Int32)
  }

  static func apply(_ operation: Operation, to lists: inout Lists) {
    switch operation {
    case .append(let index, let list): lists.append(id(index), to: list)
    case .insertSecond(let index, let list):
      lists.insert(id(index), into: list, after: lists.first(in: list))
    case .remove(let index): lists.remove(id(index))
    }
  }

  static func apply(_ operation: Operation, to model: inout [[Int32]]) {
    switch operation {
    case .append(let index, let list):
      for other in model.indices { model[other].removeAll { $0 == index } }
      model[Int(list.rawValue)].append(index)
    case .insertSecond(let index, let list):
      let isFirst = model[Int(list.rawValue)].first == index
      for other in model.indices { model[other].removeAll { $0 == index } }
      let count = model[Int(list.rawValue)].count
      model[Int(list.rawValue)].insert(index, at: isFirst ? 0 : min(1, count))
    case .remove(let index):
      for other in model.indices { model[other].removeAll { $0 == index } }
    }
  }

  static func complaint(
    _ operations: [Operation],
    apply: (Operation, inout Lists) -> Void = { LinkedListsTests.apply($0, to: &$1) }
  ) -> String? {
    var lists = Lists()
    var model: [[Int32]] = List.allCases.map { _ in [] }
    for operation in operations {
      apply(operation, &lists)
      Self.apply(operation, to: &model)
      for (list, expected) in zip(List.allCases, model) {
        let found = lists.elements(in: list).map(\.index)
        if found != expected { return "the \(list) list is \(found), not \(expected)" }
        if lists.count(in: list) != expected.count { return "the \(list) list has a wrong count" }
        if lists.first(in: list)?.index != expected.first {
          return "\(list) has a wrong first element"
        }
        if lists.last(in: list)?.index != expected.last {
          return "\(list) has a wrong last element"
        }
        for (element, next) in zip(expected, expected.dropFirst())
        where lists.next(of: id(element)) != id(next) || lists.previous(of: id(next)) != id(element)
        {
          return "\(list) is wrong about the neighbours \(element) and \(next)"
        }
      }
      for index in 0..<12 as Range<Int32> {
        let list = zip(List.allCases, model).first { $0.1.contains(index) }?.0
        if lists.list(of: id(index)) != list { return "\(index) is in a wrong list" }
        for other in List.allCases where lists.contains(id(index), in: other) != (other == list) {
          return "the \(other) list is wrong about \(index)"
        }
      }
    }
    return nil
  }

  @Test("Linked lists agree with arrays after all short sequences")
  func all() {
    let alphabet = (0..<2).flatMap { index in
      [
        Operation.append(index, to: .first), .append(index, to: .second), .remove(index),
        .insertSecond(index, into: .first),
      ]
    }
    let failure = ModelTrial.allSequences(of: alphabet, length: 4) { Self.complaint($0) }
    #expect(failure == nil)
  }

  static func operation(using random: inout SeededGenerator) -> Operation {
    let index = Int32.random(in: 0..<12, using: &random)
    let list = List.allCases.randomElement(using: &random) ?? .first
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return .remove(index)
    case 1: return .insertSecond(index, into: list)
    default: return .append(index, to: list)
    }
  }

  @Test("Linked lists agree with arrays after long random sequences")
  func random() {
    let failure = ModelTrial.randomWalks(operation: Self.operation) { Self.complaint($0) }
    #expect(failure == nil)
  }

  @Test("The check detects lists in which a second append changes nothing")
  func broken() {
    let failure = ModelTrial.randomWalks(operation: Self.operation) { operations in
      Self.complaint(operations) { operation, lists in
        if case .append(let index, let list) = operation, lists.list(of: Self.id(index)) == list {
          return
        }
        Self.apply(operation, to: &lists)
      }
    }
    #expect(failure?.hasPrefix("seed 0") == true)
  }
}
