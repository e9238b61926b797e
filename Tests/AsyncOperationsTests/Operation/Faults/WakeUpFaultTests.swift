import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

#if !canImport(ObjectiveC)
  /// The queue reads readiness, and the last dependency finishes before it has noted what it read.
  ///
  /// No luck is needed: the dependent's own `isReady` is the place where the dependency finishes.
  @Suite("The lost wake-up (fault 11)", .timeLimit(.minutes(10)))
  struct WakeUpFaultTests {
    @Test("Fault 11: a plain addOperation loses the wake-up")
    func plainAdd() async {
      let scene = Scene(finishingInRead: 1)
      scene.queue.addOperation(scene.dependent)
      await scene.waitForStarts()
      #expect(scene.dependency.isFinished && scene.dependent.isReady)
      #expect(scene.dependent.state == .pending)
      await scene.rescue()
    }

    @Test("Fault 11: so does the system's own operation")
    func systemsOwn() async {
      let scene = Scene(finishingInRead: 1, isLate: true)
      let dependent = BlockProbe(scene.probe)
      dependent.addDependency(scene.dependency)
      scene.probe.arm()
      scene.queue.addOperation(dependent)
      await scene.waitForStarts()
      #expect(dependent.isReady && !dependent.isFinished)
      dependent.cancel()
      await scene.queue.emptied()
    }

    @Test("Fault 11: a single announcement after adding can lose the wake-up itself")
    func singleAnnouncement() async {
      // The first read is the adding's, the second that of the announcement.
      let scene = Scene(finishingInRead: 2)
      scene.queue.isSuspended = true
      scene.queue.addOperation(scene.dependent)
      scene.dependent.didChangeValue(forKey: "isReady")
      scene.queue.isSuspended = false
      await scene.waitForStarts()
      #expect(scene.dependency.isFinished && scene.dependent.isReady)
      #expect(scene.dependent.state == .pending)
      await scene.rescue()
    }

    @Test(
      "Fault 11: enqueue loses it nowhere: the dependency finishes inside any read",
      arguments: 1...8, [false, true])
    func enqueue(read: Int, isSuspended: Bool) async {
      let scene = Scene(finishingInRead: read)
      scene.queue.isSuspended = isSuspended
      scene.queue.enqueue(scene.dependent)
      scene.probe.fire()
      scene.queue.isSuspended = false
      await scene.dependent.finished()
    }

    @Test(
      "Fault 11: enqueue does the same for the system's own operations",
      arguments: 1...8, [false, true])
    func enqueueSystemsOwn(read: Int, isSuspended: Bool) async {
      let scene = Scene(finishingInRead: read, isLate: true)
      let dependent = BlockProbe(scene.probe)
      dependent.addDependency(scene.dependency)
      scene.probe.arm()
      scene.queue.isSuspended = isSuspended
      scene.queue.enqueue(dependent)
      scene.probe.fire()
      scene.queue.isSuspended = false
      await dependent.finished()
    }

    @Test(
      "Fault 11: enqueue does not lose the turn that comes inside any read",
      arguments: 1...8, [false, true])
    func enqueueExclusive(read: Int, isSuspended: Bool) async {
      let category = ExclusionCategory("\(UUID())")
      let scene = Scene(finishingInRead: read, isLate: true)
      // The other one has the turn until it finishes, in the read.
      let holder = OpenOperation()
      holder.exclusive(in: category)
      let queue = OperationQueue()
      queue.enqueue(holder)
      while !holder.isExecuting { await Task.yield() }
      let probe = Probe(read: read) { holder.finish() }
      let dependent = AsyncProbe(probe)
      dependent.exclusive(in: category)
      scene.queue.isSuspended = isSuspended
      probe.arm()
      scene.queue.enqueue(dependent)
      probe.fire()
      scene.queue.isSuspended = false
      await dependent.finished()
    }

    @Test("Fault 11: two dependencies finish, one of them as it is removed")
    func removedAsBothFinish() async {
      for _ in 0..<(StressLevel.current == .low ? 300 : 30_000) {
        let (first, second) = (OpenOperation(), OpenOperation())
        let operation = QuickOperation()
        operation.addDependency(first)
        operation.addDependency(second)
        first.start()
        second.start()
        OperationQueue(width: 1).enqueue(operation)
        await race(
          { first.finish() }, { second.finish() }, { operation.removeDependency(first) })
        await operation.finished()
      }
    }

    @Test("Fault 11: a dependency added to the system's own waiting operation loses it as well")
    func lateDependencyOfSystemsOwn() async {
      let scene = Scene(finishingInRead: 1, isLate: true)
      let dependent = BlockProbe(scene.probe)
      scene.queue.isSuspended = true
      scene.queue.addOperation(dependent)
      scene.probe.arm()
      dependent.addDependency(scene.dependency)
      scene.queue.isSuspended = false
      await scene.waitForStarts()
      #expect(dependent.isReady && !dependent.isFinished)
      dependent.cancel()
      await scene.queue.emptied()
    }

    @Test("Fault 11: added to a waiting AsyncOperation it does not", arguments: 1...8)
    func lateDependency(read: Int) async {
      let scene = Scene(finishingInRead: read, isLate: true)
      scene.queue.isSuspended = true
      scene.queue.addOperation(scene.dependent)
      scene.probe.arm()
      scene.dependent.addDependency(scene.dependency)
      scene.probe.fire()
      scene.queue.isSuspended = false
      await scene.dependent.finished()
    }

    @Test("Fault 11: cancelling gets out what the queue has lost")
    func cancelRescues() async {
      let scene = Scene(finishingInRead: 1)
      scene.queue.addOperation(scene.dependent)
      scene.dependent.cancel()
      await scene.queue.emptied()
      #expect(scene.dependent.isFinished)
    }
  }

  /// A dependent that is to be added, and a dependency that finishes in one of the reads of it.
  private struct Scene {
    let dependency = OpenOperation()
    let probe: Probe
    let dependent: AsyncProbe
    let queue = OperationQueue(width: 1)
    private let underlying = DispatchQueue(label: "underlying")

    /// - Parameter isLate: Whether the test itself adds the dependency, and arms the probe.
    init(finishingInRead read: Int, isLate: Bool = false) {
      probe = Probe(read: read) { [dependency] in dependency.finish() }
      dependent = AsyncProbe(probe)
      queue.underlyingQueue = underlying
      dependency.start()
      guard !isLate else { return }
      dependent.addDependency(dependency)
      probe.arm()
    }

    /// A barrier: whatever the queue has dispatched so far has run when it returns.
    func waitForStarts() async { await onThread { [underlying] in underlying.sync {} } }

    func rescue() async {
      dependent.didChangeValue(forKey: "isReady")
      await dependent.finished()
    }
  }

  /// Counts reads, and does something in the course of one of them, after the value was read.
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

    func arm() { state.change { $0.isArmed = true } }

    /// Does it now, if no read has come to it.
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

/// Executes until it is finished by somebody else.
final class OpenOperation: AsyncOperation, @unchecked Sendable {
  override func main() {}
}
