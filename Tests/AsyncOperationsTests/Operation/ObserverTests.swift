import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("Observing an operation", .timeLimit(.minutes(10)))
struct ObserverTests {
  private final class Watched: Sendable {
    let told = Log<String>([])

    func observer(_ name: String = "") -> OperationObserver {
      OperationObserver(
        started: { self.record("started", name, $0) },
        cancelled: { self.record("cancelled", name, $0) },
        willFinish: { self.record("willFinish", name, $0) })
    }

    private func record(_ moment: String, _ name: String, _ operation: AsyncOperation) {
      let state =
        operation.isFinished ? "finished" : operation.isExecuting ? "executing" : "pending"
      told.append("\(moment)\(name) \(state)")
    }
  }

  @Test("didFinish follows willFinish, in the order of the observers", arguments: Kind.ours)
  func didFinish(kind: Kind) async throws {
    let told = Log<String>([])
    let isOver = Gate()
    let operation = try #require(kind.make() as? AsyncOperation)
    func observe(_ name: String) {
      operation.addObserver(
        OperationObserver(
          willFinish: { _ in told.append("will \(name)") },
          didFinish: { told.append("did \(name) \($0.isFinished)") }))
    }
    for name in ["a", "b"] { observe(name) }
    operation.addObserver(
      OperationObserver(willFinish: { operation in
        // Early enough for didFinish only.
        operation.addObserver(
          OperationObserver(
            willFinish: { _ in told.append("never") },
            didFinish: { _ in
              told.append("did late")
              isOver.open()
            }))
      }))
    await onThread { operation.start() }
    await isOver.opened()
    #expect(told.value == ["will a", "will b", "did a true", "did b true", "did late"])
  }

  @Test("After the end an added observer gets only didFinish, at once", arguments: Kind.ours)
  func addedAfterEnd(kind: Kind) async throws {
    let told = Log<String>([])
    let operation = try #require(kind.make() as? AsyncOperation)
    await onThread { operation.start() }
    await operation.finished()
    let willFinish = OperationObserver(willFinish: { _ in told.append("will") })
    operation.addObserver(willFinish)
    operation.addObserver(OperationObserver(didFinish: { _ in told.append("did") }))
    #expect(told.value == ["did"])
  }

  @Test(
    "started and willFinish are called once each, while isFinished reads false",
    arguments: Kind.ours)
  func plainLife(kind: Kind) async throws {
    let watched = Watched()
    let operation = try #require(kind.make() as? AsyncOperation)
    operation.addObserver(watched.observer())
    await onThread { operation.start() }
    await operation.finished()
    #expect(watched.told.value == ["started executing", "willFinish executing"])
  }

  @Test(
    "A cancel before the start calls cancelled and willFinish, but not started",
    arguments: Kind.ours)
  func cancelledBefore(kind: Kind) async throws {
    let watched = Watched()
    let operation = try #require(kind.make() as? AsyncOperation)
    operation.addObserver(watched.observer())
    operation.cancel()
    operation.cancel()
    #expect(watched.told.value == ["cancelled pending"])
    await onThread { operation.start() }
    #expect(watched.told.value == ["cancelled pending", "willFinish pending"])
  }

  @Test(
    "A cancel of a running operation calls started, cancelled and willFinish in order",
    arguments: Kind.ours)
  func cancelledRunning(kind: Kind) async throws {
    let watched = Watched()
    let began = Gate()
    let operation = try #require(
      kind.make(Work(until: .cancelled) { _ in began.open() }) as? AsyncOperation)
    operation.addObserver(watched.observer())
    OperationQueue(width: 1).enqueue(operation)
    await began.opened()
    operation.cancel()
    await operation.finished()
    #expect(
      watched.told.value == ["started executing", "cancelled executing", "willFinish executing"])
  }

  @Test("Several observers are called in the order of their registration")
  func order() async {
    let watched = Watched()
    let operation = QuickOperation()
    for name in ["A", "B", "C"] { operation.addObserver(watched.observer(name)) }
    await onThread { operation.start() }
    #expect(
      watched.told.value == [
        "startedA executing", "startedB executing", "startedC executing",
        "willFinishA executing", "willFinishB executing", "willFinishC executing",
      ])
  }

  @Test("A late observer is called for the remaining events only")
  func lateObserver() async {
    let watched = Watched()
    let operation = OpenOperation()
    await onThread { operation.start() }
    operation.addObserver(watched.observer())
    operation.finish()
    operation.addObserver(watched.observer("late"))
    #expect(watched.told.value == ["willFinish executing"])
  }

  @Test("An observer that is added during willFinish is released")
  func addedAtTheEnd() async {
    let deallocated = Gate()
    let operation = OpenOperation()
    do {
      let token = Token(deallocated)
      operation.addObserver(
        OperationObserver(willFinish: { operation in
          operation.addObserver(
            OperationObserver(willFinish: { _ in withExtendedLifetime(token) {} }))
        }))
    }
    await onThread {
      operation.start()
      operation.finish()
    }
    await deallocated.opened()
    #expect(operation.isFinished)
  }

  @Test("An observer may cancel or finish its operation")
  func reentrant() async {
    for cancels in [false, true] {
      let watched = Watched()
      let operation = OpenOperation()
      operation.addObserver(watched.observer())
      operation.addObserver(
        OperationObserver(started: { operation in
          if cancels { operation.cancel() } else { operation.finish() }
        }))
      await onThread { operation.start() }
      #expect(operation.isFinished)
      let last = ["willFinish executing"]
      #expect(
        watched.told.value == ["started executing"] + (cancels ? ["cancelled executing"] : [])
          + last)
    }
  }
}
