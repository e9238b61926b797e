import Foundation

/// Counts the objects that Swift allocates, through its runtime's hook for instruments.
///
/// Array buffers, closure contexts and boxes are objects too. Allocations of C code, such as those
/// of Dispatch, do not count.
enum SwiftObjects {
  private typealias Allocate =
    @convention(c) (UnsafeRawPointer?, Int, Int) -> UnsafeMutableRawPointer

  private struct Hook {
    let allocate: UnsafeMutablePointer<Allocate>
    let original: Allocate
    let isUsed: UnsafeMutablePointer<Bool>
  }

  // Writes happen under the lock, or before any other thread can see the value.
  private static let lock = NSLock()
  nonisolated(unsafe) private static var count = 0
  // The pointer never changes, and the runtime owns its memory.
  nonisolated(unsafe) private static let hook: Hook? = {
    guard let allocate = dlsym(nil, "_swift_allocObject"),
      let isUsed = dlsym(
        nil, "_swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly")
    else { return nil }
    let place = allocate.assumingMemoryBound(to: Allocate.self)
    return Hook(
      allocate: place, original: place.pointee, isUsed: isUsed.assumingMemoryBound(to: Bool.self))
  }()

  /// How many objects all threads allocate during `body`; `nil` if this runtime has no such hook.
  @MainActor
  static func allocated(in body: @MainActor () async -> Void) async -> Int? {
    guard let hook else {
      await body()
      return nil
    }
    // These calls allocate their own objects before the count starts.
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
