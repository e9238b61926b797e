import Foundation

@testable import RowOperations
@testable import TestSupport

extension CallerWalk {
  /// Links objects that a tracker holds to the walk, without strong references.
  @MainActor
  final class CallLink {
    weak var walk: CallerWalk?
    nonisolated let permit = Permit()

    func call(from origin: CallerWalk.Origin) { walk?.call(from: origin) }
  }

  /// Permits calls from deinits while a step is taken, on the step's thread alone.
  ///
  /// An operation's thread can be the last to release a value or an error.
  final class Permit: Sendable {
    private let thread = Box<ObjectIdentifier?>(nil)

    /// Whether this thread takes a step.
    var isOpen: Bool { thread.value == ObjectIdentifier(Thread.current) }

    func open() { thread.set(ObjectIdentifier(Thread.current)) }

    func close() { thread.set(nil) }
  }

  /// Makes a random call in its deinit.
  final class Caller: Sendable {
    private let link: CallLink
    private let origin: CallerWalk.Origin

    init(_ link: CallLink, _ origin: CallerWalk.Origin) {
      self.link = link
      self.origin = origin
    }

    deinit {
      guard link.permit.isOpen else { return }
      MainActor.assumeIsolated { [link, origin] in link.call(from: origin) }
    }
  }

  struct Content: Sendable {
    let row: Int
    let number: Int
    let caller: Caller
  }

  struct Broken: Error {
    let caller: Caller
  }

  /// A cell that can report its end and makes a random call in its deinit.
  final class CallingCell {
    let number: Int
    private let link: CallLink

    init(number: Int, _ link: CallLink) {
      self.number = number
      self.link = link
    }

    deinit {
      guard link.permit.isOpen else { return }
      // The permit ensures the main actor; the tracker keeps no reference.
      nonisolated(unsafe) let cell = self
      MainActor.assumeIsolated { [link] in link.walk?.leave(cell) }
    }
  }

  /// A load that ignores cancellation and ends when the walk ends it.
  final class WaitingLoad: UpdateOperation<Int, Content>, @unchecked Sendable {
    // Sendable: it never changes.
    let gate = Gate()

    override func update(_ context: UpdateContext<Int, Content>) async throws -> Content {
      await gate.opened()
      // The walk has ended it before.
      throw CancellationError()
    }
  }
}
