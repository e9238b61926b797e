import Dispatch

/// For callbacks that come on the main thread though their type does not say so.
enum MainThread {
  #if canImport(Darwin) && !canImport(_Concurrency, _version: 6.0)
    /// Runs `body` at once; traps if it is not the main thread.
    ///
    /// For SDKs whose interfaces leave out `MainActor.assumeIsolated`, which does the same.
    static func assumeIsolated(_ body: @MainActor () -> Void) {
      dispatchPrecondition(condition: .onQueue(.main))
      typealias Body = () -> Void
      withoutActuallyEscaping(body) { unsafeBitCast($0, to: Body.self)() }
    }
  #else
    /// Runs `body` at once; traps if it is not the main thread.
    static func assumeIsolated(_ body: @MainActor () -> Void) {
      MainActor.assumeIsolated(body)
    }
  #endif
}
