import Foundation

/// Runs `body` on a plain thread, where it may block: the threads that run tasks are few, and one of
/// them kept waiting for another stops all tests.
@discardableResult
func onThread<Output: Sendable>(_ body: @escaping @Sendable () -> Output) async -> Output {
  let output = Box<Output?>(nil)
  let done = Gate()
  Thread.detachNewThread {
    output.set(body())
    done.open()
  }
  await done.opened()
  guard let output = output.value else { fatalError("The thread has not run.") }
  return output
}

/// Runs all at once, each on a plain thread, none before all are there.
func race(_ bodies: [@Sendable () -> Void]) async {
  let arrived = Box()
  let start = Gate()
  await withTaskGroup(of: Void.self) { group in
    for body in bodies {
      group.addTask {
        await onThread {
          if arrived.add() == bodies.count { start.open() }
          start.wait()
          body()
        }
      }
    }
  }
}

func race(_ bodies: (@Sendable () -> Void)...) async { await race(bodies) }

extension Operation {
  /// Waits until the operation has finished, without keeping a thread that runs tasks.
  func finished() async { await onThread { self.waitUntilFinished() } }
}

extension OperationQueue {
  convenience init(width: Int) {
    self.init()
    maxConcurrentOperationCount = width
  }

  /// Waits until the queue is empty, without keeping a thread that runs tasks.
  func drained() async { await onThread { self.waitUntilAllOperationsAreFinished() } }
}
