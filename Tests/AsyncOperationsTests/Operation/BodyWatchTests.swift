import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("Bodies that go on after their cancel", .timeLimit(.minutes(10)))
struct BodyWatchTests {
  /// Time that passes when a test says so.
  private final class World: Sendable {
    struct Look: Sendable {
      let time: UInt64
      let work: TaskCanceller.Surroundings.Work
    }

    let time = Box<UInt64>(0)
    let looks = Log<Look>([])

    var surroundings: TaskCanceller.Surroundings {
      TaskCanceller.Surroundings(
        makeQueue: { { _ in } },
        schedule: { [looks, time] delay, work in
          looks.append(Look(time: time.value + delay, work: work))
        },
        now: { [time] in time.value })
    }

    /// Lets time pass, and has all looks taken that are due.
    func pass(to new: UInt64) {
      time.set(new)
      let all = looks.exchanged([])
      for look in all where look.time > new { looks.append(look) }
      for look in all where look.time <= new { look.work() }
    }
  }

  /// An operation whose body has begun and returns when the gate is open, cancelled or not.
  private func stubborn(_ gate: Gate) async -> TaskOperation<Int> {
    let began = Gate()
    let operation = TaskOperation<Int> {
      began.open()
      await gate.opened()
      return 1
    }
    OperationQueue(width: 1).enqueue(operation)
    await began.opened()
    return operation
  }

  private func hook(of operation: AsyncOperation) throws -> any TaskHook {
    try #require(operation.hook as? any TaskHook)
  }

  @Test("A body that goes on for ten seconds is reported once")
  func reported() async throws {
    let (world, gate) = (World(), Gate())
    let watch = BodyWatch(world.surroundings)
    let operation = await stubborn(gate)
    let misuses = Misuses(of: operation)
    operation.cancel()
    watch.bodyCancelled(try hook(of: operation), of: operation)
    world.pass(to: BodyWatch.patience - 1)
    #expect(misuses.codes == [])
    world.pass(to: BodyWatch.patience)
    #expect(misuses.codes == [.ignoredCancellation])
    world.pass(to: 10 * BodyWatch.patience)
    #expect(misuses.codes == [.ignoredCancellation] && world.looks.value.isEmpty)
    gate.open()
  }

  @Test("A body that has returned by then is not reported")
  func returned() async throws {
    let (world, gate) = (World(), Gate())
    let watch = BodyWatch(world.surroundings)
    let operation = await stubborn(gate)
    let misuses = Misuses(of: operation)
    operation.cancel()
    let hook = try hook(of: operation)
    watch.bodyCancelled(hook, of: operation)
    gate.open()
    await until { !hook.withBodyTask { $0.goesOnAfterCancel } }
    world.pass(to: BodyWatch.patience)
    #expect(misuses.codes == [])
  }

  @Test("Many cancels cost one look a second, and each is looked at when its time has come")
  func manyCancels() async throws {
    let (world, gate) = (World(), Gate())
    let watch = BodyWatch(world.surroundings)
    var operations: [TaskOperation<Int>] = []
    for _ in 0..<40 { operations.append(await stubborn(gate)) }
    let misuses = operations.map { Misuses(of: $0) }
    for (index, operation) in operations.enumerated() {
      operation.cancel()
      // Four a second.
      world.pass(to: UInt64(index) * BodyWatch.step / 4)
      watch.bodyCancelled(try hook(of: operation), of: operation)
      #expect(world.looks.value.count == 1)
    }
    var looks = 0
    while let next = world.looks.value.first {
      looks += 1
      world.pass(to: next.time)
      for (index, misuse) in misuses.enumerated() {
        let due = UInt64(index) * BodyWatch.step / 4 + BodyWatch.patience
        #expect(misuse.codes.count == (due <= next.time ? 1 : 0), "\(index)")
      }
    }
    #expect((10...12).contains(looks))
    gate.open()
  }

  @Test("The watch keeps no operation alive")
  func memory() async throws {
    let (world, gate) = (World(), Gate())
    let watch = BodyWatch(world.surroundings)
    weak var known: AsyncOperation?
    do {
      let operation = await stubborn(gate)
      known = operation
      operation.cancel()
      watch.bodyCancelled(try hook(of: operation), of: operation)
    }
    gate.open()
    await until { known == nil }
    world.pass(to: BodyWatch.patience)
    #expect(world.looks.value.isEmpty)
  }
}
