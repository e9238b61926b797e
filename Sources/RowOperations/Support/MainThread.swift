import Foundation

/// For callbacks on the main thread without a type that says so.
package enum MainThread {
  #if canImport(Darwin) && !canImport(_Concurrency, _version: 6.0)
    /// Runs `body` at once; traps if it is not the main thread.
    ///
    /// For SDKs without `MainActor.assumeIsolated` in their interfaces, which does the same.
    package static func assumeIsolated(_ body: @MainActor () -> Void) {
      dispatchPrecondition(condition: .onQueue(.main))
      withoutActuallyEscaping(body) { body in
        _ = Call(body).perform(#selector(Call.run))
      }
    }

    private final class Call: NSObject {
      private let body: @MainActor () -> Void

      init(_ body: @escaping @MainActor () -> Void) { self.body = body }

      @MainActor @objc func run() { body() }
    }
  #else
    package static func assumeIsolated(_ body: @MainActor () -> Void) {
      MainActor.assumeIsolated(body)
    }
  #endif
}
