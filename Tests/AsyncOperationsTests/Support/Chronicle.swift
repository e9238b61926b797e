import Foundation

@testable import AsyncOperations
@testable import TestSupport

/// The keys that an operation emits to its queue.
enum Emission: String, Hashable { case isReady, isExecuting, isFinished }

/// The callbacks of an operation.
enum Callback: Int, Hashable, CaseIterable, CustomStringConvertible {
  case started, cancelled, result, willFinish, didCancel

  var description: String {
    switch self {
    case .started: "started"
    case .cancelled: "cancelled"
    case .result: "result"
    case .willFinish: "willFinish"
    case .didCancel: "didCancel"
    }
  }
}

extension Callback {
  /// Whether it comes in the order of the cases, on the threads that start and end the operation.
  fileprivate var isOrdered: Bool { self != .cancelled && self != .didCancel }
}

/// The state that an operation shows in one reading.
struct Reading: Hashable {
  var isCancelled = false
  var isExecuting = false
  var isFinished = false

  var stage: Int { isFinished ? 2 : isExecuting ? 1 : 0 }
}

extension Operation {
  /// A consistent reading, although the properties are read one after the other.
  var reading: Reading {
    while true {
      let wasFinished = isFinished
      let reading = Reading(
        isCancelled: isCancelled, isExecuting: isExecuting, isFinished: isFinished)
      // An end that came in between is the only change that makes the answers disagree.
      if wasFinished == reading.isFinished { return reading }
    }
  }
}

/// The observed events of one operation in order, and the rules for them.
///
/// Each method takes the next event and returns the violated rule, if any.
struct Chronicle: Hashable {
  private(set) var emissions: [Emission] = []
  private(set) var calls: [Callback] = []
  private var callsInFlight: [Callback] = []
  private(set) var bodyRan = false
  private(set) var decisions = 0

  /// Records an emission; `reading` is the state that the queue reads back in it.
  mutating func emitted(_ emission: Emission, _ reading: Reading) -> String? {
    defer { emissions.append(emission) }
    // A cancel may let its operation leave the queue while another thread ends it.
    if emission != .isReady, emissions.contains(.isFinished) {
      return "\(emission) was emitted after isFinished"
    }
    let executings = emissions.count { $0 == .isExecuting }
    switch emission {
    case .isReady:
      return nil
    case .isExecuting:
      if executings == 0, !reading.isExecuting { return "the first isExecuting read false" }
      if executings == 1, reading.isExecuting { return "the second isExecuting read true" }
      return executings > 1 ? "isExecuting was emitted more than twice" : nil
    case .isFinished:
      if executings == 1 { return "isFinished was emitted between the two isExecuting" }
      return reading.isFinished ? nil : "isFinished was emitted and read false"
    }
  }

  mutating func began(_ callback: Callback, _ reading: Reading) -> String? {
    defer {
      calls.append(callback)
      callsInFlight.append(callback)
    }
    if calls.contains(callback) { return "\(callback) was called twice" }
    // Both come on the cancelling thread, while another one may start or end the operation.
    if !callback.isOrdered { return nil }
    if reading.isFinished { return "\(callback) was called after the end" }
    let earlier = calls.filter(\.isOrdered)
    if earlier.contains(where: { $0.rawValue > callback.rawValue }) {
      return "\(callback) was called after \(earlier)"
    }
    let others = callsInFlight.filter(\.isOrdered)
    return others.isEmpty ? nil : "\(callback) was called while \(others) had not returned"
  }

  mutating func returned(_ callback: Callback) {
    callsInFlight.removeAll { $0 == callback }
  }

  mutating func bodyEntered(_ reading: Reading) -> String? {
    defer { bodyRan = true }
    if reading.isFinished { return "the body was entered after the end" }
    if decisions > 0 { return "the body was entered after the end had been decided" }
    return bodyRan ? "the body was entered twice" : nil
  }

  /// Records that a call of finish has decided the end.
  mutating func decided() -> String? {
    decisions += 1
    return decisions > 1 ? "two calls of finish have decided" : nil
  }

  /// Checks two successive readings of one thread.
  static func violation(reading: Reading, after last: Reading) -> String? {
    if reading.isFinished, reading.isExecuting { return "it was executing and finished at once" }
    if reading.stage < last.stage { return "the state went back" }
    return last.isCancelled && !reading.isCancelled ? "the cancel was taken back" : nil
  }

  /// The violated rule when no thread has anything left to do.
  func violationAtRest(_ reading: Reading, wasStarted: Bool, hasObservers: Bool) -> String? {
    if reading.isFinished != emissions.contains(.isFinished) {
      return "isFinished is \(reading.isFinished) and was not emitted accordingly"
    }
    if hasObservers, reading.isFinished != calls.contains(.willFinish) {
      return "isFinished is \(reading.isFinished) and willFinish was not called accordingly"
    }
    if hasObservers, reading.isCancelled != calls.contains(.cancelled) {
      return "isCancelled is \(reading.isCancelled) and nobody was told accordingly"
    }
    if hasObservers, bodyRan, reading.isCancelled, !calls.contains(.didCancel) {
      return "the body ran, was cancelled, and nobody woke it up"
    }
    if wasStarted, !reading.isFinished, !bodyRan || decisions > 0 {
      return "it was started, its end was decided, and it has not finished"
    }
    return !wasStarted && reading.isFinished ? "it finished without having been started" : nil
  }
}
