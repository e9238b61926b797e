import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

#if !canImport(ObjectiveC)
  /// The last dependency finishes after the queue has read readiness and before it notes it.
  ///
  /// The tests need no luck: the dependency finishes inside the dependent's own `isReady`.
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

    @Test("Fault 11: a plain addOperation of a system operation loses the wake-up")
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

    @Test("Fault 11: one isReady emission after adding can lose the wake-up as well")
    func singleAnnouncement() async {
      // The adding reads first, the announcement second.
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
      "Fault 11: enqueue loses no wake-up when the dependency finishes inside any read",
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
      "Fault 11: enqueue of several operations loses no wake-up inside any read", arguments: 1...8)
    func enqueueSeveral(read: Int) async {
      let scene = Scene(finishingInRead: read)
      scene.queue.enqueue([scene.dependent])
      scene.probe.fire()
      await scene.dependent.finished()
    }

    @Test(
      "Fault 11: enqueue of a system operation loses no wake-up inside any read",
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
      "Fault 11: enqueue does not lose a turn that comes inside any read",
      arguments: 1...8, [false, true])
    func enqueueExclusive(read: Int, isSuspended: Bool) async {
      let category = ExclusionCategory("\(UUID())")
      let scene = Scene(finishingInRead: read, isLate: true)
      // The holder has the turn until it finishes, inside the read.
      let holder = OpenOperation()
      holder.exclusive(in: category)
      let queue = OperationQueue()
      queue.enqueue(holder)
      await until { holder.isExecuting }
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

    @Test(
      "Fault 11: enqueue of an exclusive operation does not lose a cancel that comes inside any read",
      arguments: 1...12)
    func enqueueCancelled(read: Int) async {
      let subject = Box<AsyncProbe?>(nil)
      let probe = Probe(read: read) { subject.exchanged(nil)?.cancel() }
      let operation = AsyncProbe(probe)
      operation.exclusive(in: ExclusionCategory("\(UUID())"))
      subject.set(operation)
      let queue = OperationQueue(width: 1)
      queue.isSuspended = true
      probe.arm()
      queue.enqueue(operation)
      probe.fire()
      queue.isSuspended = false
      await operation.finished()
    }

    @Test(
      "Fault 11: a removal loses no wake-up when the other dependency finishes inside any read",
      arguments: 1...8)
    func removal(read: Int) async {
      let scene = Scene(finishingInRead: read, isLate: true)
      let removed = OpenOperation()
      for dependency in [removed, scene.dependency] { scene.dependent.addDependency(dependency) }
      scene.queue.isSuspended = true
      scene.queue.enqueue(scene.dependent)
      scene.probe.arm()
      scene.dependent.removeDependency(removed)
      scene.probe.fire()
      scene.queue.isSuspended = false
      await scene.dependent.finished()
    }

    @Test(
      "Fault 11: no wake-up is lost when both dependencies finish and the first one is removed",
      arguments: 1...8)
    func removedInItsEnd(read: Int) async {
      let (first, second) = (OpenOperation(), OpenOperation())
      let subject = Box<AsyncProbe?>(nil)
      let probe = Probe(read: read) {
        subject.exchanged(nil)?.removeDependency(first)
        second.finish()
      }
      let operation = AsyncProbe(probe)
      for dependency in [first, second] {
        dependency.start()
        operation.addDependency(dependency)
      }
      subject.set(operation)
      let queue = OperationQueue(width: 1)
      queue.isSuspended = true
      queue.enqueue(operation)
      probe.arm()
      first.finish()
      probe.fire()
      queue.isSuspended = false
      await operation.finished()
    }

    @Test("Fault 11: an operation runs when both dependencies finish as one of them is removed")
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
        let scene = Scene(finishingInRead: 1_000)
        scene.queue.isSuspended = true
        scene.queue.enqueue(scene.dependent)
        let before = scene.probe.readsToGo
        if isCancelled { scene.dependent.cancel() } else { scene.dependency.finish() }
        reads.append(before - scene.probe.readsToGo)
        scene.queue.isSuspended = false
        await scene.dependent.finished()
      }
      #expect(reads[0] > 0 && reads[0] == reads[1])
    }

    @Test("Fault 11: a dependency added to a waiting system operation loses the wake-up")
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

    @Test(
      "Fault 11: a dependency added to a waiting AsyncOperation loses no wake-up", arguments: 1...8)
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

    @Test("Fault 11: a cancel releases an operation after a lost wake-up")
    func cancelRescues() async {
      let scene = Scene(finishingInRead: 1)
      scene.queue.addOperation(scene.dependent)
      scene.dependent.cancel()
      await scene.queue.emptied()
      #expect(scene.dependent.isFinished)
    }
  }

  /// A dependent and a dependency that finishes inside one read of the dependent's `isReady`.
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

    /// Returns after all blocks that the queue has dispatched so far have run.
    func waitForStarts() async { await onThread { [underlying] in underlying.sync {} } }

    func rescue() async {
      dependent.didChangeValue(forKey: "isReady")
      await dependent.finished()
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

/// Executes until other code finishes it.
final class OpenOperation: AsyncOperation, @unchecked Sendable {
  override func main() {}
}
