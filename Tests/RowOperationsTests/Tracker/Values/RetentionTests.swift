import Testing

@testable import RowOperations

@Suite("Retention")
struct RetentionTests {
  @Test(".none keeps no value, .all keeps any number at any cost")
  func noneAndAll() {
    let (none, all) = (Retention<String>.none, Retention<String>.all)
    #expect(none.countLimit == 0)
    #expect(all.countLimit == nil)
    #expect(none.costLimit == nil)
    #expect(all.costLimit == nil)
    #expect([none.cost(of: "abc"), all.cost(of: "abc")] == [0, 0])
  }

  @Test("A count limits only the number of values")
  func count() {
    let retention = Retention<String>.count(7)
    #expect(retention.countLimit == 7)
    #expect(retention.costLimit == nil)
    #expect(retention.cost(of: "abc") == 0)
  }

  @Test("A cost limits only the total cost, by the app's measure")
  func cost() {
    let retention = Retention<String>.cost(limit: 100, cost: \.count)
    #expect(retention.countLimit == nil)
    #expect(retention.costLimit == 100)
    #expect(retention.cost(of: "abc") == 3)
  }

  @Test("Limits and costs below zero count as zero")
  func negative() {
    #expect(Retention<String>.count(-3).countLimit == 0)
    let retention = Retention<String>.cost(limit: -5) { _ in -1 }
    #expect(retention.costLimit == 0)
    #expect(retention.cost(of: "abc") == 0)
  }
}
