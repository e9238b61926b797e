/// A system object that any thread may use, which older SDKs do not declare.
package struct ThreadSafe<Object>: @unchecked Sendable {
  // Sendable: see above.
  package let object: Object

  package init(_ object: Object) { self.object = object }
}
