import Proofs
import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Batches that wait for further rows")
struct GatheringTests {
  /// A list of four rows on screen that scrolls by one row in 33 ms and loads in 30 ms.
  private final class Scroll {
    let driver: EngineDriver
    private var answered = 0
    /// Rows that came on screen without a value.
    private(set) var blank: [Int] = []

    init(_ configure: @escaping (inout TrackerEngine.Settings) -> Void = { _ in }) throws {
      let variant = EngineVariant("batches of 50") { settings in
        settings.batchSize = 50
        configure(&settings)
      }
      driver = variant.driver()
      try play("Q1@0[0…99] V1@0…99[0…3]")
      for row in 0..<4 { try play("c\(row)(\(cell(row))) W\(row)(\(cell(row)))") }
      try play("| +30ms")
      try answerAll()
      try play("B1 |")
    }

    var batches: [[Int]] {
      driver.decisions.compactMap { if case .startBatch(let rows) = $0 { rows } else { nil } }
    }

    private func cell(_ row: Int) -> String { ["a", "b", "c", "d", "e"][row % 5] }

    func play(_ text: String) throws {
      for step in try EventScript(text).steps { driver.apply(step) }
    }

    func answerAll() throws {
      for batch in batches.dropFirst(answered) {
        for row in batch { try play("F\(row)") }
        answered += 1
      }
      try play("|")
    }

    func show(_ rows: Range<Int>) throws {
      for row in rows {
        let (new, old) = (cell(row), cell(row - 4))
        try play("M1 c\(row)(\(new)) W\(row)(\(new)) E\(row - 4)(\(old))")
        try play("V1@0…99[\(row - 3)…\(row)] |")
        if let id = driver.rowIDs[row], !driver.engine.rows[id].hasValue { blank.append(row) }
        try play("+33ms")
        try answerAll()
      }
    }
  }

  @Test("A batch of rows that come later takes further rows, and none of them is blank for it")
  func gathers() throws {
    let adaptive = try Scroll()
    try adaptive.show(4..<60)
    let immediate = try Scroll { $0.scrollPolicy = .immediate }
    try immediate.show(4..<60)
    #expect(adaptive.blank == [])
    #expect(immediate.blank == [])
    #expect(adaptive.batches.count * 3 < immediate.batches.count)
    #expect(adaptive.driver.violations.isEmpty)
  }

  @Test("The rows of a list that comes to rest wait no longer")
  func rest() throws {
    let scroll = try Scroll()
    try scroll.show(4..<60)
    let waiting = scroll.driver.engine.waitingByPriority
    #expect(!waiting.isEmpty)
    for row in waiting {
      let place = scroll.driver.engine.place(of: row, at: scroll.driver.now)
      #expect(place == .gathering)
    }
    let before = scroll.batches.count
    try scroll.play("S1 |")
    #expect(scroll.batches.count == before + 1)
    #expect(scroll.driver.engine.waitingByPriority.isEmpty)
    #expect(scroll.driver.violations.isEmpty)
  }

  @Test("A row beside a list at rest waits for no further rows of a list that moves")
  func otherList() throws {
    let scroll = try Scroll()
    try scroll.show(4..<60)
    let before = scroll.batches.count
    try scroll.play("Q2@0[200…209] V2@0…9[4…5] |")
    #expect(scroll.batches.count == before + 1)
    #expect(scroll.batches.last.map { Set($0).isSuperset(of: [202, 203, 206, 207]) } == true)
    #expect(scroll.driver.violations.isEmpty)
  }
}
