#if os(Windows)
  import WinSDK

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
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Android)
    import Android
  #endif

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
    func destroy() { pthread_mutex_destroy(self) }
  }
#endif
