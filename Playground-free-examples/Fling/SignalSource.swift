import Foundation

/// Calls a closure on a queue when the process gets a signal, in place of the signal's effect.
///
/// No signal is lost; several in a row may call the closure once. A signal source of Dispatch
/// begins some time after its `activate()`, and a signal before that is lost if the process ignores
/// it by then.
final class SignalSource {
  /// The ends of pipes to write to, by the numbers of signals.
  ///
  /// Unsafe: a handler reads an element that was written before the handler was set.
  nonisolated(unsafe) private static let outputs: UnsafeMutablePointer<Int32> = {
    let outputs = UnsafeMutablePointer<Int32>.allocate(capacity: 128)
    outputs.initialize(repeating: -1, count: 128)
    return outputs
  }()

  /// The ends to read from, by the numbers of signals.
  ///
  /// A pipe stays open, as a handler may still write to it.
  private static let inputs = Locked<[Int32: Int32]>([:])

  private let source: any DispatchSourceRead
  private let restore: () -> Void

  init(_ number: Int32, on queue: DispatchQueue, _ action: @escaping @Sendable () -> Void) {
    let input = Self.input(of: number)
    // What came for an earlier source.
    _ = Self.hasSignal(input)
    source = DispatchSource.makeReadSource(fileDescriptor: input, queue: queue)
    source.setEventHandler { @Sendable in
      if Self.hasSignal(input) { action() }
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

  private static func input(of number: Int32) -> Int32 {
    inputs.change { inputs in
      if let input = inputs[number] { return input }
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else {
        fatalError("No pipe can be made: \(String(cString: strerror(errno))).")
      }
      for end in ends {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
      }
      (inputs[number], outputs[Int(number)]) = (ends[0], ends[1])
      return ends[0]
    }
  }

  /// Empties a pipe.
  private static func hasSignal(_ input: Int32) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4096)
    return read(input, &bytes, bytes.count) > 0
  }
}
