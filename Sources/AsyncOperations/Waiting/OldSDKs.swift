import Foundation

// For SDKs whose libraries are older than the compiler.

#if canImport(Darwin) && !canImport(_Concurrency, _version: 5.9)
  // Sendable: operations may be used on all threads, which these SDKs do not say before iOS 17.
  extension Operation: @retroactive @unchecked Sendable {}
#endif

#if canImport(Darwin) && !canImport(_Concurrency, _version: 6.0)
  // Before iOS 18 a function cannot find the isolation of its caller.
  extension ExclusionCategory {
    /// The closure runs on any thread.
    public func withPermit<Output>(
      fileID: StaticString = #fileID, line: UInt = #line,
      _ body: @Sendable () async throws -> Output
    ) async throws -> Output {
      try await Permit([self], fileID, line).run(isolation: nil, body)
    }

    /// The closure runs on any thread.
    public static func withPermit<Output>(
      in categories: ExclusionCategory..., fileID: StaticString = #fileID, line: UInt = #line,
      _ body: @Sendable () async throws -> Output
    ) async throws -> Output {
      try await Permit(categories, fileID, line).run(isolation: nil, body)
    }
  }
#endif
