#if canImport(os)
  import os
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A value that only one thread at a time can touch.
///
/// `OSAllocatedUnfairLock` on Apple systems, a pthread mutex beside its value elsewhere. It is not
/// `Synchronization.Mutex`: that one needs newer Apple systems than this package does, and on Linux
/// Thread Sanitizer cannot see through it and reports races that are none.
///
/// A closure goes in as the property of a struct, not by itself: each access to a bare one would wrap
/// it once more, until calling it overflows the stack.
///
/// The lock is not recursive, and nothing that can call back (an emission, an observer, a
/// continuation, an app's closure, the end of an object of the app's) may run inside `withLock`.
///
/// It cannot be copied: it belongs to the object whose state it guards and ends with it, which saves
/// an object of its own and the counting of references to it.
@frozen
@usableFromInline
package struct Lock<State>: ~Copyable, @unchecked Sendable {
  // Sendable: the value is reachable through `withLock` alone.
  #if canImport(os)
    @usableFromInline let storage: OSAllocatedUnfairLock<State>

    @inlinable
    package init(_ state: State) {
      storage = OSAllocatedUnfairLock(uncheckedState: state)
    }

    /// Runs `body` with the value while holding the lock.
    @inlinable
    @inline(__always)
    package func withLock<Output>(_ body: (inout State) throws -> Output) rethrows -> Output {
      try storage.withLockUnchecked(body)
    }

    /// Runs `body` with the value, for a `deinit`, when no other thread can have the lock.
    package func withoutLock<Output>(_ body: (inout State) -> Output) -> Output { withLock(body) }
  #else
    @usableFromInline
    struct Storage {
      /// All zeros is PTHREAD_MUTEX_INITIALIZER, a default mutex, on all these systems.
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
      // The mutex is the first field, and so stands where the storage does.
      UnsafeMutableRawPointer(storage).assumingMemoryBound(to: pthread_mutex_t.self)
    }

    /// Runs `body` with the value while holding the lock.
    @inlinable
    @inline(__always)
    package func withLock<Output>(_ body: (inout State) throws -> Output) rethrows -> Output {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return try body(&storage.pointee.state)
    }

    /// Runs `body` with the value, for a `deinit`, when no other thread can have the lock.
    @inlinable
    @inline(__always)
    package func withoutLock<Output>(_ body: (inout State) -> Output) -> Output {
      body(&storage.pointee.state)
    }
  #endif

  /// Puts in a new value and hands out the old one, which so ends its life outside the lock.
  @discardableResult
  @inlinable
  package func exchange(_ state: State) -> State {
    var state = state
    withLock { swap(&$0, &state) }
    return state
  }
}
