import Foundation

@testable import AsyncOperations
@testable import TestSupport

/// Runs threads one at a time, each up to its next stop, in a given order.
///
/// A choice replaces the chance of the scheduler: the code between two stops is one step, and every
/// order of steps can be repeated.
final class Stops: Sendable {
  /// One thread that runs its jobs one after the other.
  private final class Actor: Sendable {
    @TaskLocal static var current: Actor?

    let mayRun = DispatchSemaphore(value: 0)
    let hasStopped = DispatchSemaphore(value: 0)
    let job = Box<(@Sendable () -> Void)?>(nil)
    let isAtWork = Box(false)

    func work() {
      while true {
        mayRun.wait()
        guard let job = job.value else { return }
        Actor.$current.withValue(self) { job() }
        isAtWork.set(false)
        hasStopped.signal()
      }
    }
  }

  private let actors: [Actor]

  init(actorCount: Int) {
    actors = (0..<actorCount).map { _ in Actor() }
    for actor in actors { Thread.detachNewThread { actor.work() } }
  }

  /// Ends the threads; they must be at rest.
  func end() {
    for actor in actors {
      actor.job.set(nil)
      actor.mayRun.signal()
    }
  }

  /// Stops where another thread may interleave; does nothing on foreign threads.
  func stop() {
    guard let actor = Actor.current else { return }
    actor.hasStopped.signal()
    actor.mayRun.wait()
  }

  /// Runs one job per thread, in the order that `choose` gives.
  ///
  /// - Parameter choose: Receives the threads that are not done, and returns one of them.
  func run(_ jobs: [@Sendable () -> Void], choose: ([Int]) -> Int) {
    for (actor, job) in zip(actors, jobs) {
      actor.job.set(job)
      actor.isAtWork.set(true)
    }
    while true {
      let runnable = actors.indices.filter { actors[$0].isAtWork.value }
      guard !runnable.isEmpty else { return }
      let actor = actors[choose(runnable)]
      actor.mayRun.signal()
      actor.hasStopped.wait()
    }
  }
}

/// Goes through all orders of steps; each run differs from the last as late as possible.
struct Orders {
  private var choices: [(options: [Int], taken: Int)] = []
  private var depth = 0
  private(set) var runCount = 0

  mutating func choose(_ options: [Int]) -> Int {
    if depth == choices.count { choices.append((options, 0)) }
    defer { depth += 1 }
    return choices[depth].options[choices[depth].taken]
  }

  /// - Returns: Whether there is an order that was not run yet.
  mutating func next() -> Bool {
    runCount += 1
    depth = 0
    while let last = choices.last, last.taken + 1 == last.options.count { choices.removeLast() }
    guard !choices.isEmpty else { return false }
    choices[choices.count - 1].taken += 1
    return true
  }

  /// The order of this run, for the report of a failure.
  var order: [Int] { choices.map { $0.options[$0.taken] } }
}
