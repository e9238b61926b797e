import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Waits at a load gate")
struct LoadGateWaitingTests {
  typealias Gate = LoadGate<Int, Int>

  let notes = Notes()

  static func context(_ row: Int) -> UpdateContext<Int, Int> {
    UpdateContext(token: RowToken(row: row, generation: 0))
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("waitForLoads returns when exactly the given rows are at the gate")
  func rows() {
    let (executor, gate) = (StepExecutor(), Gate())
    for rows in [[], [1], [1, 2], [2, 3]] as [Set<Int>] {
      executor.start { [notes] in
        await gate.waitForLoads(rows)
        notes.add("\(rows.sorted())")
      }
    }
    #expect(notes.all == ["[]"])
    for row in 1...3 { executor.start { _ = try? await gate.load(Self.context(row)) } }
    #expect(notes.all == ["[]", "[1]", "[1, 2]"])
    gate.open(1, with: 0)
    executor.run()
    #expect(notes.all == ["[]", "[1]", "[1, 2]", "[2, 3]"])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("A condition that already holds causes no wait, and can read the gate")
  func alreadyTrue() {
    let (executor, gate) = (StepExecutor(), Gate())
    executor.start { [notes] in
      await gate.wait { [gate] log in log.began.count == gate.log.began.count }
      notes.add("went on")
    }
    #expect(notes.all == ["went on"])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("A wait sees that a load begins, is cancelled, and ends")
  func everything() {
    let (executor, gate) = (StepExecutor(), Gate(stopsWhenCancelled: false))
    executor.start { [notes] in
      await gate.wait { !$0.began.isEmpty }
      notes.add("began")
      await gate.wait { !$0.cancelled.isEmpty }
      notes.add("cancelled")
      await gate.wait { $0.waiting.isEmpty }
      notes.add("ended")
    }
    let load = executor.start { _ = try? await gate.load(Self.context(1)) }
    #expect(notes.all == ["began"])
    load.cancel()
    executor.run()
    #expect(notes.all == ["began", "cancelled"])
    gate.fail(1, with: CancellationError())
    executor.run()
    #expect(notes.all == ["began", "cancelled", "ended"])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("A change during the evaluation of conditions is not missed")
  func changedMeanwhile() {
    let (executor, gate) = (StepExecutor(), Gate())
    executor.start { [notes] in
      // Stands for another thread that opens the gate at this moment.
      await gate.wait { log in
        if !log.waiting.isEmpty { gate.open(1, with: 0) }
        return log.waiting.isEmpty && !log.began.isEmpty
      }
      notes.add("opened")
    }
    executor.start { [notes] in
      await gate.wait { $0.waiting.isEmpty && !$0.began.isEmpty }
      notes.add("ended")
    }
    executor.start { _ = try? await gate.load(Self.context(1)) }
    #expect(notes.all == ["opened", "ended"])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("A cancelled task stops waiting, also if the cancel falls into the evaluation")
  func cancelled() {
    let (executor, gate) = (StepExecutor(), Gate())
    let wait = executor.start { [notes] in
      await gate.wait { _ in false }
      notes.add("cancelled")
    }
    #expect(notes.all == [])
    wait.cancel()
    executor.run()
    #expect(notes.all == ["cancelled"])
    let current = Lock<Task<Void, Never>?>(nil)
    let second = executor.start { [notes] in
      // Stands for another thread that cancels the task at this moment.
      await gate.wait { log in
        if !log.began.isEmpty { current.withLock { $0 }?.cancel() }
        return false
      }
      notes.add("cancelled meanwhile")
    }
    current.withLock { $0 = second }
    executor.start { _ = try? await gate.load(Self.context(1)) }
    executor.run()
    #expect(notes.all == ["cancelled", "cancelled meanwhile"])
    gate.open(1, with: 0)
    executor.run()
  }

  // MARK: From many threads

  @Test(
    "No condition is missed while loads begin and end on several threads",
    .timeLimit(.minutes(10)), arguments: 0..<20)
  func noneMissed(round: Int) async {
    let (gate, loads) = (Gate(), 40)
    await withTaskGroup(of: Void.self) { group in
      // Each condition becomes true sooner or later and stays true.
      for count in 1...loads {
        group.addTask { await gate.wait { $0.began.count >= count } }
        group.addTask { await gate.wait { $0.began.count - $0.waiting.count >= count } }
      }
      for row in 0..<loads {
        group.addTask { _ = try? await gate.load(Self.context(row)) }
        group.addTask {
          await gate.wait { $0.waiting.contains { $0.row == row } }
          gate.open(row, with: row)
        }
      }
    }
    #expect(gate.log.began.count == loads)
    #expect(gate.log.waiting == [])
  }

  @Test(
    "Each load ends once when it is opened and cancelled at the same time",
    .timeLimit(.minutes(10)),
    arguments: [true, false])
  func openedAndCancelled(stopsWhenCancelled: Bool) async {
    let gate = Gate(stopsWhenCancelled: stopsWhenCancelled)
    let loads = (0..<200).map { row in Task { try await gate.load(Self.context(row)) } }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for load in loads { load.cancel() } }
      group.addTask {
        for row in loads.indices {
          // Loads that were cancelled before they began never reach the gate.
          gate.open(row, with: row)
          await Task.yield()
        }
      }
    }
    // Loads that began after this and ignore cancellation still wait at the gate.
    let opening = Task {
      while !Task.isCancelled {
        gate.openAll { $0 }
        await Task.yield()
      }
    }
    for load in loads {
      switch await load.result {
      case .success(let row): #expect(gate.log.began.contains { $0.row == row })
      case .failure(let error): #expect(error is CancellationError)
      }
    }
    opening.cancel()
    await opening.value
    #expect(gate.log.waiting == [])
    #expect(Set(gate.log.cancelled).count == gate.log.cancelled.count)
  }
}
