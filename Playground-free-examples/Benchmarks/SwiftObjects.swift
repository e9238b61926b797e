import Foundation

/// Counts the objects that Swift allocates, by the hook that its runtime has for instruments.
///
/// Array buffers, closure contexts and boxes are objects too; what C code allocates, as Dispatch does,
/// is not counted.
enum SwiftObjects {
  private typealias Allocate =
    @convention(c) (UnsafeRawPointer?, Int, Int) -> UnsafeMutableRawPointer

  private struct Hook {
    let allocate: UnsafeMutablePointer<Allocate>
    let original: Allocate
    let isUsed: UnsafeMutablePointer<Bool>
  }

  // Written under the lock, or before any other thread can see it.
  private static let lock = NSLock()
  nonisolated(unsafe) private static var count = 0
  // It never changes; what it points to is the runtime's.
  nonisolated(unsafe) private static let hook: Hook? = {
    guard let allocate = dlsym(nil, "_swift_allocObject"),
      let isUsed = dlsym(
        nil, "_swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly")
    else { return nil }
    let place = allocate.assumingMemoryBound(to: Allocate.self)
    return Hook(
      allocate: place, original: place.pointee, isUsed: isUsed.assumingMemoryBound(to: Bool.self))
  }()

  /// How many objects are allocated, on all threads, until `body` is done; `nil` if this runtime has
  /// no such hook.
  @MainActor
  static func allocated(in body: @MainActor () async -> Void) async -> Int? {
    guard let hook else {
      await body()
      return nil
    }
    // Whatever these need is allocated before it is counted.
    lock.withLock { count = 0 }
    hook.allocate.pointee = { metadata, size, alignment in
      SwiftObjects.lock.lock()
      SwiftObjects.count += 1
      SwiftObjects.lock.unlock()
      return SwiftObjects.original(metadata, size, alignment)
    }
    hook.isUsed.pointee = true
    await body()
    let allocated = lock.withLock { count }
    hook.allocate.pointee = hook.original
    hook.isUsed.pointee = false
    return allocated
  }

  private static func original(
    _ metadata: UnsafeRawPointer?, _ size: Int, _ alignment: Int
  ) -> UnsafeMutableRawPointer {
    guard let hook else { preconditionFailure("The hook is only set if there is one.") }
    return hook.original(metadata, size, alignment)
  }
}
