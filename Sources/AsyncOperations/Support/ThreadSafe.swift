/// A system object that any thread may use, which older SDKs do not declare.
struct ThreadSafe<Object>: @unchecked Sendable {
  // Sendable: see above.
  let object: Object

  init(_ object: Object) { self.object = object }
}
