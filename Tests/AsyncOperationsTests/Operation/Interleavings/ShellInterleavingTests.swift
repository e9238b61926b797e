import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("All interleavings of real threads at an operation", .timeLimit(.minutes(10)))
struct ShellInterleavingTests {
  private static let pairs: [[Deed]] = Deed.allCases.indices.flatMap { first in
    Deed.allCases[first...].map { [Deed.allCases[first], $0] }
  }

  @Test("Two threads on a pending operation break no rule", arguments: pairs, [false, true])
  func pending(deeds: [Deed], bodyFinishes: Bool) async {
    await expectOrder(deeds, after: [], bodyFinishes: bodyFinishes)
  }

  @Test("Two threads on an executing operation break no rule", arguments: pairs)
  func executing(deeds: [Deed]) async {
    await expectOrder(deeds, after: [.start])
  }

  @Test(
    "Two threads on an operation that was finished before its start break no rule",
    arguments: pairs)
  func decided(deeds: [Deed]) async {
    await expectOrder(deeds, after: [.finish])
  }

  @Test(
    "Two threads on an operation that was cancelled before its start break no rule",
    arguments: pairs)
  func cancelled(deeds: [Deed]) async {
    await expectOrder(deeds, after: [.cancel])
  }

  @Test("Three threads on a pending operation break no rule in more than 300 orders")
  func threeThreads() async {
    let explorer = await onThread {
      ShellExplorer([.start, .cancel, .finish], bodyFinishes: true) { ExploredOperation($0) }
    }
    #expect(explorer.violations.isEmpty)
    #expect(explorer.runCount > 300)
  }

  // MARK: The explorer can fail

  @Test(
    "The explorer detects the one mistake of a broken operation",
    arguments: [
      (.noEmission, [.start, .finish], "isFinished is true and was not emitted accordingly"),
      (.finishedBeforeStart, [.finish, .observe], "it finished without having been started"),
      (.emissionBeforeWrite, [.start, .finish], "isFinished was emitted and read false"),
      (.doubleEmission, [.start, .finish], "isFinished was emitted after isFinished"),
      (.unsynchronisedState, [.finish, .observe], "it was executing and finished at once"),
      (.slowEmission, [.start, .finish], "isExecuting was emitted after isFinished"),
      (.everyFinishWins, [.finish, .finish], "two calls of finish have decided"),
      (
        .runsItsBodyAnyway, [.start, .finish], "the body was entered after the end had been decided"
      ),
    ] as [(BrokenOperation.Mistake, [Deed], String)])
  func brokenOperation(mistake: BrokenOperation.Mistake, deeds: [Deed], violation: String) async {
    let before: [Deed] = deeds.contains(.start) || mistake == .finishedBeforeStart ? [] : [.start]
    let explorer = await onThread {
      ShellExplorer(deeds, after: before) { BrokenOperation(mistake, $0) }
    }
    #expect(explorer.violations[violation] != nil, "\(explorer.violations)")
  }

  private func expectOrder(
    _ deeds: [Deed], after before: [Deed], bodyFinishes: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let explorer = await onThread {
      ShellExplorer(deeds, after: before, bodyFinishes: bodyFinishes) { ExploredOperation($0) }
    }
    #expect(explorer.violations.isEmpty, "\(deeds)", sourceLocation: sourceLocation)
  }
}
