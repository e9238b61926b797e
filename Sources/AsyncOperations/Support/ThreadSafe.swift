/// An object of the system's that may be used from any thread, which older SDKs do not say.
struct ThreadSafe<Object>: @unchecked Sendable {
  // Sendable: see above.
  let object: Object

  init(_ object: Object) { self.object = object }
}
