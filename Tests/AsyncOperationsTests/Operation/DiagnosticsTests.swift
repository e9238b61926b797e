import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("Reporting misuse", .timeLimit(.minutes(10)))
struct DiagnosticsTests {
  @Test("A hook may replace itself")
  func hook() {
    let (hook, told) = (MisuseHook(), Log<String>([]))
    hook.onMisuse = { misuse in
      told.append(misuse.description)
      hook.onMisuse = nil
    }
    let operation = QuickOperation()
    operation.name = "feed"
    for _ in 0..<2 { hook.report(.secondStart, operation, "It was started again.") }
    #expect(told.value == ["feed: It was started again."])
  }

  @Test("By default debug builds print each mistake, and others if the environment demands it")
  func printed() throws {
    let pipe = Pipe()
    for environment in [[:], ["ROWOPERATIONS_MISUSE": "print"]] {
      MisuseHook(environment, printingTo: pipe.fileHandleForWriting)
        .report(.missingBody, nil, "It has no body.")
    }
    try pipe.fileHandleForWriting.close()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #if DEBUG
      let count = 2
    #else
      let count = 1
    #endif
    let line = "AsyncOperations: missingBody: It has no body.\n"
    #expect(text == String(repeating: line, count: count))
  }

  @Test("A second start and a second finish are harmless, and each one is reported")
  func secondCalls() async {
    let (operation, bodies) = (OpenOperation(), Box())
    let thread = Box<ObjectIdentifier?>(nil)
    operation.addObserver(OperationObserver(started: { _ in bodies.add() }))
    // The hook is called outside the operation's lock.
    let misuses = Misuses(of: operation) {
      _ = $0.operation?.state
      thread.set(ObjectIdentifier(Thread.current))
    }
    let isSameThread = await onThread {
      for _ in 0..<2 { operation.start() }
      return thread.value == ObjectIdentifier(Thread.current)
    }
    #expect(isSameThread && operation.finish() && misuses.codes == [.secondStart])
    for _ in 0..<1_000 { #expect(!operation.finish()) }
    let finishes = Array(repeating: OperationMisuse.Code.secondFinish, count: 1_000)
    #expect(misuses.codes == [.secondStart] + finishes)
    #expect(operation.isFinished && bodies.value == 1)
  }

  @Test("No report names a private operation, but the operation that it serves", arguments: [0, 1])
  func privateOperations(last: Int) async throws {
    let queue = OperationQueue()
    queue.isSuspended = true
    let upload = QuickOperation()
    upload.name = "upload"
    queue.enqueue(upload.exclusive(in: ExclusionCategory("uploads")))
    // An app may let others depend on all operations that it finds in a queue.
    let own = try #require(queue.operations.first { $0 !== upload })
    let (task, follower, block) = (QuickOperation(), QuickOperation(), BlockOperation {})
    let misuses = [Misuses(of: task), Misuses(of: upload)]
    (task.name, block.name) = ("task", "block")
    follower.addDependency(own)
    block.addDependency(own)
    if last == 0 { own.addDependency(task) } else { task.addDependency(block) }
    #expect(misuses.allSatisfy { $0.codes == [] })
    if last == 0 { task.addDependency(block) } else { own.addDependency(task) }
    #expect(misuses.map(\.codes) == (last == 0 ? [[.circularWait], []] : [[], [.circularWait]]))
    let names = last == 0 ? "task, block, upload, task" : "upload, task, block, upload"
    let description = misuses[last].descriptions.first ?? ""
    #expect(description.hasPrefix(last == 0 ? "task: " : "upload: "))
    #expect(description.contains(": \(names)."))
    for operation in [own, task, upload] { operation.cancel() }
    block.removeDependency(own)
    queue.isSuspended = false
    await queue.drained()
  }

  @Test("An operation without a body reports that and finishes")
  func missingBody() async {
    let operation = AsyncOperation()
    let misuses = Misuses(of: operation)
    await onThread { operation.start() }
    #expect(operation.isFinished)
    #expect(misuses.codes == [.missingBody])
  }
}
