#if canImport(os)
  import os
#else
  import Glibc
#endif

/// In place of `Synchronization.Mutex`, which needs newer Apple systems, and which Thread Sanitizer
/// on Linux cannot see through.
///
/// Store a closure as the property of a struct: each access to a bare one wraps it once more, until
/// calling it overflows the stack.
///
/// It is not recursive: nothing that can call back, such as an emission or the end of an app's
/// object, may run inside `withLock`.
@usableFromInline
// Sendable: only `withLock` reaches the value.
package struct Lock<State>: ~Copyable, @unchecked Sendable {
  #if canImport(os)
    @usableFromInline let storage: OSAllocatedUnfairLock<State>

    @inlinable
    package init(_ state: State) { storage = OSAllocatedUnfairLock(uncheckedState: state) }

    @inlinable
    @inline(__always)
    package func withLock<Output>(_ body: (inout State) throws -> Output) rethrows -> Output {
      try storage.withLockUnchecked(body)
    }
  #else
    // Not a tuple, whose layout would be looked up at run time.
    @frozen
    @usableFromInline
    struct Storage {
      @usableFromInline var mutex = pthread_mutex_t()
      @usableFromInline var state: State

      @inlinable
      init(state: State) { self.state = state }
    }

    @usableFromInline let storage: UnsafeMutablePointer<Storage>

    @inlinable
    package init(_ state: State) {
      storage = .allocate(capacity: 1)
      storage.initialize(to: Storage(state: state))
    }

    @inlinable
    deinit {
      pthread_mutex_destroy(mutex)
      storage.deinitialize(count: 1)
      storage.deallocate()
    }

    @inlinable var mutex: UnsafeMutablePointer<pthread_mutex_t> {
      // The first field has the address of the storage.
      UnsafeMutableRawPointer(storage).assumingMemoryBound(to: pthread_mutex_t.self)
    }

    @inlinable
    @inline(__always)
    package func withLock<Output>(_ body: (inout State) throws -> Output) rethrows -> Output {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return try body(&storage.pointee.state)
    }
  #endif

  /// Returns the old value, which so ends its life outside the lock.
  @discardableResult
  @inlinable
  package func exchange(_ state: State) -> State {
    var state = state
    withLock { swap(&$0, &state) }
    return state
  }
}
