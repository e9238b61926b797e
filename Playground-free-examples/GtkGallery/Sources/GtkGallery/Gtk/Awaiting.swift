import CGtk

/// What GLib says of something that went wrong.
struct LibraryError: Error, CustomStringConvertible {
  let description: String

  /// Takes over an error that a call has left behind.
  static func taken(_ error: UnsafeMutablePointer<GError>?) -> any Error {
    guard let error else { return LibraryError(description: "It failed without a reason.") }
    defer { g_error_free(error) }
    if g_error_matches(error, g_io_error_quark(), Int32(G_IO_ERROR_CANCELLED.rawValue)) != 0 {
      return CancellationError()
    }
    return LibraryError(description: String(cString: error.pointee.message))
  }
}

/// A task's cancellation, as GLib's asynchronous calls understand it.
final class Cancellable: @unchecked Sendable {
  // GCancellable may be used from any thread.
  let pointer: UnsafeMutablePointer<GCancellable> = g_cancellable_new()

  deinit { g_object_unref(pointer) }

  func cancel() { g_cancellable_cancel(pointer) }
}

/// The outcome of an asynchronous call, for its finishing function.
struct Outcome: @unchecked Sendable {
  // Finished by one task only.
  let pointer: OpaquePointer
}

private final class Waiting: Sendable {
  let continuation: CheckedContinuation<Outcome, Never>

  init(_ continuation: CheckedContinuation<Outcome, Never>) { self.continuation = continuation }
}

/// Awaits one of GLib's asynchronous calls, which work in threads of their own.
func outcome(
  of begin: (@escaping GAsyncReadyCallback, gpointer) -> Void
) async -> Outcome {
  await withCheckedContinuation { continuation in
    begin(
      { _, result, data in
        guard let result else { preconditionFailure("GLib always gives a result.") }
        object(data, as: Waiting.self).continuation.resume(
          returning: Outcome(pointer: OpaquePointer(g_object_ref(result.raw))))
        releaseUserData(data)
      }, userData(Waiting(continuation)))
  }
}
