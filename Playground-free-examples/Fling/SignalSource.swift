import Foundation

/// Calls a closure on a queue when the process gets a signal, in place of the signal's effect.
///
/// It misses no signal. A signal source of Dispatch begins some time after its `activate()`, and a
/// signal before that is lost if the process ignores it by then.
final class SignalSource {
  /// The ends of pipes to write to, by the numbers of signals.
  ///
  /// Unsafe: a handler reads an element that was written before the handler was set.
  nonisolated(unsafe) private static let outputs: UnsafeMutablePointer<Int32> = {
    let outputs = UnsafeMutablePointer<Int32>.allocate(capacity: 128)
    outputs.initialize(repeating: -1, count: 128)
    return outputs
  }()

  private let source: any DispatchSourceRead
  private let restore: () -> Void

  init(_ number: Int32, on queue: DispatchQueue, _ action: @escaping @Sendable () -> Void) {
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    let input = ends[0]
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    Self.outputs[Int(number)] = ends[1]
    source = DispatchSource.makeReadSource(fileDescriptor: input, queue: queue)
    source.setEventHandler { @Sendable in
      var bytes = [UInt8](repeating: 0, count: 16)
      if read(input, &bytes, bytes.count) > 0 { action() }
    }
    source.activate()
    let before = signal(number) { number in
      let error = errno
      var byte: UInt8 = 0
      _ = write(SignalSource.outputs[Int(number)], &byte, 1)
      errno = error
    }
    restore = { signal(number, before) }
  }

  /// Gives the signal its earlier effect back.
  func cancel() {
    restore()
    source.cancel()
  }
}
