import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("Reporting misuse", .timeLimit(.minutes(10)))
struct DiagnosticsTests {
  // The hook is global, so a test that sets it runs in its own process.
  @Test("A hook is called on the thread that makes the mistake, and may replace itself")
  func hook() async {
    await #expect(processExitsWith: .success) {
      Watchdog.start(Watchdog.patient)
      let told = Log<String>([])
      let mistaken = Box<pthread_t?>(nil)
      OperationDiagnostics.onMisuse = { misuse in
        told.append(misuse.description)
        mistaken.set(pthread_self())
        OperationDiagnostics.onMisuse = nil
      }
      let operation = QuickOperation()
      operation.name = "feed"
      operation.start()
      QuickOperation().finish()
      for _ in 0..<2 { operation.start() }
      #expect(mistaken.value == pthread_self())
      #expect(told.value.count == 1)
      #expect(told.value.first?.hasPrefix("feed: It was started a second time") == true)
    }
  }

  @Test("By default, debug builds print each mistake to standard error")
  func printed() async throws {
    let result = try #require(
      await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        Watchdog.start(Watchdog.patient)
        let operation = QuickOperation()
        operation.name = "feed"
        operation.start()
        operation.start()
        OperationDiagnostics.onMisuse = nil
        operation.finish()
        exit(0)
      })
    let lines = String(decoding: result.standardErrorContent, as: UTF8.self)
      .split(separator: "\n").filter { $0.contains("feed") }
    let start = "AsyncOperations: secondStart: feed: It was started a second time"
    let environment = ProcessInfo.processInfo.environment
    #expect(lines.count == (OperationDiagnostics.printsByDefault(environment) ? 1 : 0))
    #expect(lines.allSatisfy { $0.hasPrefix(start) })
    #expect(OperationDiagnostics.printsByDefault(["ROWOPERATIONS_MISUSE": "print"]))
    #if DEBUG
      #expect(OperationDiagnostics.printsByDefault([:]))
    #endif
  }

  @Test("A second start and a second finish are harmless, and each one is reported")
  func secondCalls() async {
    let (operation, bodies) = (OpenOperation(), Box())
    operation.addObserver(OperationObserver(started: { _ in bodies.add() }))
    // The hook is called outside the operation's lock.
    let misuses = Misuses(of: operation) { _ = $0.operation?.state }
    await onThread { for _ in 0..<2 { operation.start() } }
    #expect(operation.finish() && misuses.codes == [.secondStart])
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
