#if canImport(Darwin)
  import Darwin
#elseif os(Windows)
  import WinSDK
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The identity of a thread while it lives, as a number other than 0.
enum ThreadIdentity {
  static var current: UInt {
    #if os(Windows)
      UInt(GetCurrentThreadId())
    #elseif canImport(Glibc) || canImport(Android)
      UInt(pthread_self())
    #else
      UInt(bitPattern: pthread_self())
    #endif
  }
}
