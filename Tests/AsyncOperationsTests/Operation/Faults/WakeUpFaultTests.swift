#if !canImport(ObjectiveC)
  import Foundation
  import Testing

  @testable import AsyncOperations
  @testable import TestSupport

  /// The last wait of an operation ends after the queue has read readiness and before it notes it.
  ///
  /// The tests need no luck: the wait ends inside the operation's own `isReady`.
  @Suite("The lost wake-up (fault 11)", .timeLimit(.minutes(10)))
  struct WakeUpFaultTests {
    /// A call that makes a queue read whether an operation is ready.
    enum Call: CaseIterable {
      case enqueue, enqueueSystemsOwn, enqueueInLine, enqueueCancelled
      case addDependency, removeDependency, endDependency
      /// The system's call, which loses the wake-up, and then a cancel.
      case addAndCancel
    }

    @Test(
      "Fault 11: no call loses a wake-up that comes inside any of the queue's reads",
      arguments: Call.allCases, 1...12)
    func wakeUp(call: Call, read: Int) async {
      // A dependency is added while the operation waits in its queue.
      for isSuspended in call == .addDependency ? [true] : [false, true] {
        let (first, second, subject) = (OpenOperation(), OpenOperation(), Box<AsyncProbe?>(nil))
        let probe = Probe(read: read) {
          switch call {
          case .enqueueCancelled: subject.exchanged(nil)?.cancel()
          case .endDependency:
            subject.exchanged(nil)?.removeDependency(first)
            second.finish()
          default: first.finish()
          }
        }
        let own = AsyncProbe(probe)
        subject.set(own)
        let operation: Operation = call == .enqueueSystemsOwn ? BlockProbe(probe) : own
        let queue = OperationQueue(width: 1)
        queue.isSuspended = isSuspended
        await perform(call, on: operation, in: queue, first, second, probe)
        probe.fire()
        queue.isSuspended = false
        await operation.finished()
        subject.set(nil)
      }
    }

    private func perform(
      _ call: Call, on operation: Operation, in queue: OperationQueue,
      _ first: OpenOperation, _ second: OpenOperation, _ probe: Probe
    ) async {
      let category = ExclusionCategory("\(UUID())")
      if call == .enqueueInLine {
        OperationQueue().enqueue(first.exclusive(in: category))
        await until { first.isExecuting }
      } else {
        first.start()
      }
      second.start()
      switch call {
      case .enqueue, .enqueueSystemsOwn, .addAndCancel:
        operation.addDependency(first)
        probe.arm()
        if call != .addAndCancel {
          queue.enqueue(operation)
        } else {
          queue.addOperation(operation)
          operation.cancel()
        }
      case .enqueueInLine, .enqueueCancelled:
        (operation as? AsyncOperation)?.exclusive(in: category)
        probe.arm()
        queue.enqueue(operation)
      case .addDependency:
        queue.addOperation(operation)
        probe.arm()
        operation.addDependency(first)
      case .removeDependency, .endDependency:
        for dependency in [first, second] { operation.addDependency(dependency) }
        queue.enqueue(operation)
        probe.arm()
        if call == .endDependency { first.finish() } else { operation.removeDependency(second) }
      }
    }

    @Test("The end of one of several dependencies is announced anew, that of a single one is not")
    func announcements() async {
      for count in 1...3 {
        let dependencies = (0..<count).map { _ in OpenOperation() }
        let probes = (0..<2).map { _ in Probe(read: 1_000) {} }
        let (operation, block) = (AsyncProbe(probes[0]), BlockProbe(probes[1]))
        for dependency in dependencies {
          dependency.start()
          for dependent in [operation, block] { dependent.addDependency(dependency) }
        }
        let queue = OperationQueue(width: 1)
        queue.isSuspended = true
        queue.enqueue(operation)
        queue.addOperation(block)
        for probe in probes { probe.arm() }
        for (number, dependency) in dependencies.enumerated() {
          let before = probes.map(\.readsToGo)
          dependency.finish()
          let reads = zip(before, probes).map { $0 - $1.readsToGo }
          // The system's own operation is not announced: its queue alone reads it.
          let isAnnounced = reads[0] > reads[1]
          #expect(isAnnounced == (count > 1), "end \(number) of \(count)")
        }
        queue.isSuspended = false
        await operation.finished()
        await block.finished()
      }
    }

    @Test(
      "A cancel that ends a wait lets the queue read the operation as often as the wait's own end")
    func announcementsOfCancel() async {
      var reads: [Int] = []
      for isCancelled in [false, true] {
        let (dependency, probe) = (OpenOperation(), Probe(read: 1_000) {})
        let (operation, queue) = (AsyncProbe(probe), OperationQueue(width: 1))
        dependency.start()
        operation.addDependency(dependency)
        queue.isSuspended = true
        queue.enqueue(operation)
        probe.arm()
        if isCancelled { operation.cancel() } else { dependency.finish() }
        reads.append(1_000 - probe.readsToGo)
        queue.isSuspended = false
        await operation.finished()
      }
      #expect(reads[0] > 0 && reads[0] == reads[1])
    }
  }

  /// Counts reads, and runs a closure in one of them, after the value was read.
  private final class Probe: Sendable {
    private struct State {
      var isArmed = false
      var readsToGo: Int
    }
    private let state: Box<State>
    private let body: @Sendable () -> Void

    init(read: Int, _ body: @escaping @Sendable () -> Void) {
      state = Box(State(readsToGo: read))
      self.body = body
    }

    var readsToGo: Int { state.value.readsToGo }

    func arm() { state.change { $0.isArmed = true } }

    /// Runs the closure now, unless a read has run it.
    func fire() {
      let isFirst = state.change { state in
        defer { state.isArmed = false }
        return state.isArmed
      }
      if isFirst { body() }
    }

    func wasRead() {
      let isDue = state.change { state in
        guard state.isArmed else { return false }
        state.readsToGo -= 1
        return state.readsToGo == 0
      }
      if isDue { fire() }
    }
  }

  private final class AsyncProbe: AsyncOperation, @unchecked Sendable {
    // Sendable: it never changes.
    private let probe: Probe

    init(_ probe: Probe) {
      self.probe = probe
      super.init()
    }

    override var isReady: Bool {
      let isReady = super.isReady
      probe.wasRead()
      return isReady
    }

    override func main() { finish() }
  }

  private final class BlockProbe: BlockOperation, @unchecked Sendable {
    // Sendable: it never changes.
    private let probe: Probe

    init(_ probe: Probe) { self.probe = probe }

    override var isReady: Bool {
      let isReady = super.isReady
      probe.wasRead()
      return isReady
    }
  }
#endif
