@testable import AsyncOperations
@testable import TestSupport

/// The next step of a thread.
///
/// It is an atomic step of the machine, or code outside it, where any other thread may interleave.
enum Step: Hashable {
  case start, publishExecuting, startCallbacksReturned
  case cancel, cancelAndFinish
  case finish, finishByBody, publish, resultDelivered, flip
  case emit(Emission)
  case call(Callback)
  case callReturned(Callback)
  case observe
}

/// How the operation of a world is used.
struct Setting: Hashable {
  /// Apple systems publish `isExecuting` in a step of its own, and so does the end with observers.
  var isApple = false
  var hasObservers = true
  var bodyFinishes = false
  /// Whether the body decides its end, does something, and then publishes the end.
  var bodyDecidesFirst = false
  /// A fault of the shell: it publishes a recorded end although another thread is starting.
  var publishesTooEarly = false
  /// The step that a callback takes on its operation.
  var inside: [Callback: Step] = [:]
}

/// One operation, the threads that use it, and its chronicle so far.
struct World: Hashable {
  var machine = AsyncOperation.StateMachine()
  /// The remaining steps of each thread, the next one last.
  var threads: [[Step]]

  var chronicle = Chronicle()
  var wasStarted = false
  /// The last reading of each observing thread.
  var readings: [Reading]

  init(threads: [Step]) {
    self.threads = threads.map { $0 == .observe ? [.observe, .observe, .observe] : [$0] }
    readings = threads.map { _ in Reading() }
  }

  var runnable: [Int] { threads.indices.filter { !threads[$0].isEmpty } }

  /// Takes the next step of a thread.
  ///
  /// - Returns: The violated rule, if any.
  mutating func advance(_ thread: Int, in setting: Setting) -> String? {
    guard let step = threads[thread].popLast() else { return nil }
    switch step {
    case .start:
      let action = machine.startRequested()
      if action != .reportSecondStart { wasStarted = true }
      if action == .announce, !setting.isApple { machine.executingPublished() }
      then(after(action, in: setting), on: thread)
    case .publishExecuting:
      machine.executingPublished()
    case .startCallbacksReturned:
      let before = reading
      let action = machine.startCallbacksReturned()
      then(after(action, in: setting), on: thread)
      return action == .runBody ? chronicle.bodyEntered(before) : nil
    case .cancel, .cancelAndFinish:
      let wasDecided = machine.isDecided
      let action =
        step == .cancel ? machine.cancelRequested() : machine.cancelAndFinishRequested()
      then(after(action, in: setting), on: thread)
      return machine.isDecided && !wasDecided ? chronicle.decided() : nil
    case .finishByBody:
      guard machine.finishRequestedByBody() else {
        then([.finish], on: thread)
        return nil
      }
      then([.publish], on: thread)
      return chronicle.decided()
    case .publish:
      then(end(in: setting), on: thread)
    case .resultDelivered:
      then(after(machine.resultDelivered(), in: setting), on: thread)
    case .finish:
      let action = machine.finishRequested()
      then(after(action, in: setting), on: thread)
      return [.publish, .deliver, .record].contains(action) ? chronicle.decided() : nil
    case .flip:
      let executingChanged = machine.finishPublished()
      then((executingChanged ? [.emit(.isExecuting)] : []) + [.emit(.isFinished)], on: thread)
    case .emit(let emission):
      return chronicle.emitted(emission, reading)
    case .call(let callback):
      let inside = setting.inside[callback].map { [$0] } ?? []
      then(inside + [.callReturned(callback)], on: thread)
      return chronicle.began(callback, reading)
    case .callReturned(let callback):
      chronicle.returned(callback)
    case .observe:
      defer { readings[thread] = reading }
      return Chronicle.violation(reading: reading, after: readings[thread])
    }
    return nil
  }

  /// The violated rule when no thread has anything left to do.
  func violationAtRest(in setting: Setting) -> String? {
    chronicle.violationAtRest(
      reading, wasStarted: wasStarted, hasObservers: setting.hasObservers)
  }

  private var reading: Reading {
    Reading(
      isCancelled: machine.isCancelled, isExecuting: machine.isExecuting,
      isFinished: machine.isFinished)
  }

  private mutating func then(_ steps: [Step], on thread: Int) {
    threads[thread] += steps.reversed()
  }

  // MARK: Steps of the shell for each action

  private func after(_ action: AsyncOperation.StateMachine.Action, in setting: Setting) -> [Step] {
    func call(_ callback: Callback) -> [Step] { setting.hasObservers ? [.call(callback)] : [] }
    return switch action {
    case .none, .ignoreLate, .reportSecondStart, .reportSecondFinish: []
    case .record: setting.publishesTooEarly ? end(in: setting) : []
    case .announce:
      (setting.isApple ? [.publishExecuting] : []) + [.emit(.isExecuting)] + call(.started)
        + [.startCallbacksReturned]
    case .runBody:
      setting.bodyDecidesFirst ? [.finishByBody] : setting.bodyFinishes ? [.finish] : []
    case .leaveQueue: [.emit(.isReady)]
    case .deliver: call(.result) + [.resultDelivered]
    case .cancel(.pending):
      [.emit(.isReady)] + call(.cancelled) + call(.result) + [.resultDelivered]
    case .cancel(.starting): call(.cancelled)
    case .cancel(.body): call(.cancelled) + [.call(.didCancel)]
    case .cancel(.bodyAndPublish): call(.cancelled) + end(in: setting) + [.call(.didCancel)]
    case .publish: end(in: setting)
    }
  }

  private func end(in setting: Setting) -> [Step] {
    guard setting.hasObservers else { return [.flip] }
    let delivery: [Step] = chronicle.calls.contains(.result) ? [] : [.call(.result)]
    return delivery + [.call(.willFinish), .flip]
  }
}
