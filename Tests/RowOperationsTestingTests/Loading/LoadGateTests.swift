import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Load gate")
struct LoadGateTests {
  struct Failure: Error {}

  let notes = Notes()

  static func token(_ row: Int, _ generation: UInt64 = 0) -> RowToken<Int> {
    RowToken(row: row, generation: generation)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @discardableResult
  func load(
    _ gate: LoadGate<Int, String>, _ row: Int, _ generation: UInt64 = 0, on executor: StepExecutor
  ) -> Task<Void, Never> {
    executor.start { [notes] in
      do {
        let context = UpdateContext<Int, String>(token: Self.token(row, generation))
        notes.add("\(row): \(try await gate.load(context))")
      } catch {
        notes.add("\(row): \(type(of: error))")
      }
    }
  }

  // MARK: Opening

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("Loads wait at the gate until their row is opened")
  func open() {
    let (executor, gate) = (StepExecutor(), LoadGate<Int, String>())
    for row in [1, 2, 3] { load(gate, row, on: executor) }
    #expect(gate.log.began == [1, 2, 3].map { Self.token($0) })
    #expect(gate.log.waiting == gate.log.began)
    gate.open(2, with: "two")
    executor.run()
    #expect(notes.all == ["2: two"])
    #expect(gate.log.waiting == [Self.token(1), Self.token(3)])
    #expect(gate.log.cancelled == [])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("open ends all loads of the row at the gate, and no later load")
  func openSeveral() {
    let (executor, gate) = (StepExecutor(), LoadGate<Int, String>())
    gate.open(1, with: "too early")
    load(gate, 1, 4, on: executor)
    load(gate, 1, 5, on: executor)
    gate.open(1, with: "one")
    load(gate, 1, 6, on: executor)
    #expect(notes.all == ["1: one", "1: one"])
    #expect(gate.log.waiting == [Self.token(1, 6)])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("openAll gives each row its value")
  func openAll() {
    let (executor, gate) = (StepExecutor(), LoadGate<Int, String>())
    for row in [3, 1, 2] { load(gate, row, on: executor) }
    gate.openAll { "\($0 * 10)" }
    executor.run()
    #expect(notes.all == ["3: 30", "1: 10", "2: 20"])
    #expect(gate.log.waiting == [])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("fail ends a load with the given error")
  func fail() {
    let (executor, gate) = (StepExecutor(), LoadGate<Int, String>())
    for row in [1, 2] { load(gate, row, on: executor) }
    gate.fail(1, with: Failure())
    executor.run()
    #expect(notes.all == ["1: Failure"])
    #expect(gate.log.waiting == [Self.token(2)])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("Two loads with one token are two loads")
  func oneToken() {
    let (executor, gate) = (StepExecutor(), LoadGate<Int, String>())
    let first = load(gate, 1, on: executor)
    load(gate, 1, on: executor)
    #expect(gate.log.waiting == [Self.token(1), Self.token(1)])
    first.cancel()
    executor.run()
    #expect(notes.all == ["1: CancellationError"])
    #expect(gate.log.waiting == [Self.token(1)])
    gate.open(1, with: "one")
    executor.run()
    #expect(notes.all == ["1: CancellationError", "1: one"])
  }

  // MARK: Cancellation

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("A cancelled load ends at once")
  func heeded() {
    let (executor, gate) = (StepExecutor(), LoadGate<Int, String>())
    let task = load(gate, 1, on: executor)
    load(gate, 2, on: executor)
    task.cancel()
    executor.run()
    #expect(notes.all == ["1: CancellationError"])
    #expect(gate.log.cancelled == [Self.token(1)])
    #expect(gate.log.waiting == [Self.token(2)])
    gate.open(1, with: "too late")
    executor.run()
    #expect(notes.all.count == 1)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("With ignored cancellation a cancelled load stays until it is opened")
  func ignored() {
    let (executor, gate) = (StepExecutor(), LoadGate<Int, String>(stopsWhenCancelled: false))
    let task = load(gate, 1, on: executor)
    task.cancel()
    executor.run()
    #expect(notes.all == [])
    #expect(gate.log.cancelled == [Self.token(1)])
    #expect(gate.log.waiting == [Self.token(1)])
    gate.open(1, with: "one")
    executor.run()
    // The check at the end of the stage throws.
    #expect(notes.all == ["1: CancellationError"])
    #expect(gate.log.waiting == [])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(
    "A load that was cancelled before it reached the gate never begins", arguments: [true, false])
  func cancelledBefore(stopsWhenCancelled: Bool) {
    let (executor, gate) = (
      StepExecutor(), LoadGate<Int, String>(stopsWhenCancelled: stopsWhenCancelled)
    )
    executor.start { [notes] in
      withUnsafeCurrentTask { $0?.cancel() }
      do {
        _ = try await gate.load(UpdateContext<Int, String>(token: Self.token(1)))
      } catch {
        notes.add("\(type(of: error))")
      }
    }
    #expect(notes.all == ["CancellationError"])
    #expect(gate.log.began == [])
    #expect(gate.log.cancelled == [])
  }

  /// Cancels its task at the entry of the stage, after the stage's check.
  private final class LateCanceller: UpdateHost, Sendable {
    let token = LoadGateTests.token(1)
    let isToStop = false

    var row: Int { token.row }

    func post(value: AnyValue?, progress: Double?) {}

    var tracked: UpdateBody {
      withUnsafeCurrentTask { $0?.cancel() }
      return UpdateBody()
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("A load that is cancelled on its way to the gate counts as cancelled at the gate")
  func cancelledOnTheWay() {
    let (executor, gate) = (StepExecutor(), LoadGate<Int, String>())
    executor.start { [notes] in
      do {
        _ = try await gate.load(UpdateContext(LateCanceller()))
      } catch {
        notes.add("\(type(of: error))")
      }
    }
    #expect(notes.all == ["CancellationError"])
    #expect(gate.log.cancelled == [Self.token(1)])
    #expect(gate.log.waiting == [])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("A load that is cancelled as it reaches the gate is cancelled once")
  func cancelledOnArrival() {
    let (executor, gate) = (StepExecutor(), LoadGate<Int, String>(stopsWhenCancelled: false))
    executor.start {
      await gate.wait { log in
        // The task of the new load evaluates this condition.
        if !log.began.isEmpty { withUnsafeCurrentTask { $0?.cancel() } }
        return !log.began.isEmpty
      }
    }
    load(gate, 1, on: executor)
    #expect(gate.log.cancelled == [Self.token(1)])
    #expect(gate.log.waiting == [Self.token(1)])
    gate.open(1, with: "one")
    executor.run()
    #expect(notes.all == ["1: CancellationError"])
  }
}
