import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("Reporting misuse", .timeLimit(.minutes(10)))
struct DiagnosticsTests {
  // The hook is global, so a test that sets it runs in its own process.
  @Test("A hook is called on the thread that makes the mistake")
  func hook() async {
    await #expect(processExitsWith: .success) {
      Watchdog.start(Watchdog.patient)
      let told = Log<String>([])
      let mistaken = Box<pthread_t?>(nil)
      OperationDiagnostics.onMisuse = { misuse in
        told.append(misuse.description)
        mistaken.set(pthread_self())
      }
      let operation = QuickOperation()
      operation.name = "feed"
      operation.start()
      operation.start()
      #expect(mistaken.value == pthread_self())
      QuickOperation().finish()
      #expect(told.value.count == 1)
      #expect(told.value.first?.hasPrefix("feed: It was started a second time") == true)
      OperationDiagnostics.onMisuse = nil
      operation.start()
      #expect(told.value.count == 1)
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

  @Test("The hook receives all of a million reports")
  func manyReports() async {
    await #expect(processExitsWith: .success) {
      Watchdog.start(Watchdog.patient)
      let count = Box()
      OperationDiagnostics.onMisuse = { _ in count.add() }
      let operation = QuickOperation()
      operation.start()
      for _ in 0..<1_000_000 { operation.finish() }
      exit(count.value == 1_000_000 ? 0 : 1)
    }
  }

  @Test("The hook is called outside every lock: it may replace itself and use the operation")
  func outsideLocks() async {
    await #expect(processExitsWith: .success) {
      Watchdog.start(Watchdog.patient)
      let count = Box()
      OperationDiagnostics.onMisuse = { misuse in
        count.add()
        misuse.operation?.cancel()
        _ = misuse.operation?.state
        OperationDiagnostics.onMisuse = nil
      }
      let operation = QuickOperation()
      operation.start()
      operation.start()
      exit(count.value == 1 ? 0 : 1)
    }
  }

  @Test("No report names a private operation, but the operation that it serves", arguments: [0, 1])
  func privateOperations(last: Int) async {
    await #expect(processExitsWith: .success) { [last] in
      Watchdog.start(Watchdog.patient)
      let reports = Log<OperationMisuse>([])
      OperationDiagnostics.onMisuse = { reports.append($0) }
      let queue = OperationQueue()
      queue.isSuspended = true
      let upload = QuickOperation()
      upload.name = "upload"
      queue.enqueue(upload.exclusive(in: ExclusionCategory("uploads")))
      // An app may let others depend on all operations that it finds in a queue.
      guard let own = queue.operations.first(where: { $0 !== upload }) else { exit(1) }
      let (task, follower, block) = (QuickOperation(), QuickOperation(), BlockOperation {})
      (task.name, block.name) = ("task", "block")
      follower.addDependency(own)
      block.addDependency(own)
      if last == 0 { own.addDependency(task) } else { task.addDependency(block) }
      queue.enqueue(task)
      guard reports.value.isEmpty else { exit(2) }
      if last == 0 { task.addDependency(block) } else { own.addDependency(task) }
      guard let report = reports.value.first, reports.value.count == 1,
        report.code == .circularWait, report.operation === (last == 0 ? task : upload)
      else { exit(3) }
      let names = last == 0 ? "task, block, upload, task" : "upload, task, block, upload"
      let subject = last == 0 ? "task: " : "upload: "
      guard report.description.hasPrefix(subject), report.description.contains(": \(names).")
      else { exit(4) }
      exit(0)
    }
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
