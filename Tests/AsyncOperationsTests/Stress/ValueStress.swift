import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("Awaiting values under stress", .timeLimit(.minutes(60)), .serialized)
struct ValueStress {
  @Test(
    "All waiting tasks resume while operations run, are cancelled and are finished",
    arguments: [Kind.result, .task])
  func waiters(kind: Kind) async {
    await stress("waiters", finishesFromOutside: true, kind: kind) { round in
      let queue = OperationQueue(width: 4)
      let resumed = Box()
      let waiting = round.subjects.enumerated().map { index, subject in
        Task {
          defer { resumed.add() }
          guard let operation = subject.operation as? ResultOperation<Int> else { return }
          let value = try? await operation.value
          #expect(value == nil || value == 1)
        }
      }
      await race(
        { for subject in round.subjects { queue.enqueue(subject.operation) } },
        { for task in waiting.enumerated() where task.offset % 3 == 0 { task.element.cancel() } },
        { round.cancel(.later) }, { round.finishFromOutside() })
      await queue.emptied()
      for task in waiting { await task.value }
      return resumed.value == waiting.count ? [] : ["\(resumed.value) of \(waiting.count) resumed"]
    }
  }
}
