#if canImport(os)
  import os
#elseif os(Windows)
  import WinSDK
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A value that only one thread at a time can access.
///
/// `OSAllocatedUnfairLock` on Apple systems, the system's mutex beside its value elsewhere.
/// `Synchronization.Mutex` does not serve: it needs newer Apple systems than this package does, and
/// on Linux Thread Sanitizer cannot see through it and reports races that do not exist.
///
/// Store a closure as the property of a struct, not by itself: each access to a bare closure would
/// wrap it once more, until calling it overflows the stack.
///
/// The lock is not recursive. Nothing that can call back (an emission, an observer, a continuation,
/// an app's closure, the end of an object of the app's) may run inside `withLock`.
///
/// It cannot be copied: it belongs to the object that it protects and ends with it. That saves an
/// object of its own and its reference counting.
@frozen
@usableFromInline
// Sendable: only `withLock` reaches the value.
package struct Lock<State>: ~Copyable, @unchecked Sendable {
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
    @frozen
    @usableFromInline
    struct Storage {
      @usableFromInline var mutex: SystemMutex
      @usableFromInline var state: State

      @inlinable
      init(state: State) { (mutex, self.state) = (SystemMutex(), state) }
    }

    @usableFromInline let storage: UnsafeMutablePointer<Storage>

    @inlinable
    package init(_ state: State) {
      storage = Self.allocate()
      storage.initialize(to: Storage(state: state))
    }

    @inlinable
    deinit {
      mutex.destroy()
      storage.deinitialize(count: 1)
      #if os(Windows)
        storage.deallocate()
      #else
        free(storage)
      #endif
    }

    @inlinable
    static func allocate() -> UnsafeMutablePointer<Storage> {
      #if os(Windows)
        return .allocate(capacity: 1)
      #else
        // `allocate(capacity:)` calls `posix_memalign`, which costs twice as much (figure B13).
        precondition(MemoryLayout<Storage>.alignment <= 8, "malloc aligns no more than that.")
        guard let memory = malloc(MemoryLayout<Storage>.size) else {
          fatalError("No memory is left.")
        }
        return memory.bindMemory(to: Storage.self, capacity: 1)
      #endif
    }

    @inlinable var mutex: UnsafeMutablePointer<SystemMutex> {
      // The mutex is the first field, and so has the address of the storage.
      UnsafeMutableRawPointer(storage).assumingMemoryBound(to: SystemMutex.self)
    }

    /// Runs `body` with the value while holding the lock.
    @inlinable
    @inline(__always)
    package func withLock<Output>(_ body: (inout State) throws -> Output) rethrows -> Output {
      mutex.lock()
      defer { mutex.unlock() }
      return try body(&storage.pointee.state)
    }

    /// Runs `body` with the value, for a `deinit`, when no other thread can have the lock.
    @inlinable
    @inline(__always)
    package func withoutLock<Output>(_ body: (inout State) -> Output) -> Output {
      body(&storage.pointee.state)
    }
  #endif

  /// Stores a new value and returns the old one, which so ends its life outside the lock.
  @discardableResult
  @inlinable
  package func exchange(_ state: State) -> State {
    var state = state
    withLock { swap(&$0, &state) }
    return state
  }
}

#if os(Windows)
  /// The slim lock of Windows.
  ///
  /// All zeros is SRWLOCK_INIT. It needs no destruction.
  @usableFromInline
  typealias SystemMutex = SRWLOCK

  extension UnsafeMutablePointer<SystemMutex> {
    @inlinable
    @inline(__always)
    func lock() { AcquireSRWLockExclusive(self) }

    @inlinable
    @inline(__always)
    func unlock() { ReleaseSRWLockExclusive(self) }

    @inlinable
    func destroy() {}
  }
#elseif !canImport(os)
  /// The mutex of POSIX.
  ///
  /// All zeros is PTHREAD_MUTEX_INITIALIZER, a default mutex, on Linux (with Glibc and with Musl)
  /// and on Android.
  @usableFromInline
  typealias SystemMutex = pthread_mutex_t

  extension UnsafeMutablePointer<SystemMutex> {
    @inlinable
    @inline(__always)
    func lock() { pthread_mutex_lock(self) }

    @inlinable
    @inline(__always)
    func unlock() { pthread_mutex_unlock(self) }

    @inlinable
    @inline(__always)
    func destroy() { pthread_mutex_destroy(self) }
  }
#endif
