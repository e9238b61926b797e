import Dispatch

/// For callbacks on the main thread without a type that says so.
package enum MainThread {
  #if canImport(Darwin) && !canImport(_Concurrency, _version: 6.0)
    /// Runs `body` at once; traps if it is not the main thread.
    ///
    /// For SDKs without `MainActor.assumeIsolated` in their interfaces, which does the same.
    package static func assumeIsolated(_ body: @MainActor () -> Void) {
      dispatchPrecondition(condition: .onQueue(.main))
      typealias Body = () -> Void
      withoutActuallyEscaping(body) { unsafeBitCast($0, to: Body.self)() }
    }
  #else
    /// Runs `body` at once; traps if it is not the main thread.
    package static func assumeIsolated(_ body: @MainActor () -> Void) {
      MainActor.assumeIsolated(body)
    }
  #endif
}
