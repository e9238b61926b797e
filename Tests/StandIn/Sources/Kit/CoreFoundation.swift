@_exported import Foundation

public struct CFRunLoopActivity: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  public static let beforeWaiting = CFRunLoopActivity(rawValue: 32)
}

public enum CFRunLoopMode: Sendable {
  case commonModes
}

public final class CFRunLoopObserver {
  let order: Int
  private let block: (CFRunLoopObserver?, CFRunLoopActivity) -> Void
  fileprivate(set) var isValid = true

  fileprivate init(
    _ order: Int, _ block: @escaping (CFRunLoopObserver?, CFRunLoopActivity) -> Void
  ) { (self.order, self.block) = (order, block) }

  func call() { block(self, .beforeWaiting) }
}

@MainActor
public func CFRunLoopObserverCreateWithHandler(
  _ allocator: Void?, _ activities: UInt, _ repeats: Bool, _ order: Int,
  _ block: @escaping (CFRunLoopObserver?, CFRunLoopActivity) -> Void
) -> CFRunLoopObserver? { CFRunLoopObserver(order, block) }

public func CFRunLoopGetMain() {}

@MainActor
public func CFRunLoopAddObserver(
  _ loop: Void, _ observer: CFRunLoopObserver?, _ mode: CFRunLoopMode
) {
  guard let observer else { return }
  MainLoop.observers.removeAll { !$0.isValid }
  MainLoop.observers.append(observer)
  MainLoop.observers.sort { $0.order < $1.order }
}

public func CFRunLoopObserverInvalidate(_ observer: CFRunLoopObserver?) {
  observer?.isValid = false
}

@MainActor
public func CACurrentMediaTime() -> Double { MainLoop.time }

@MainActor
public enum CATransaction {
  /// Commits without the observers of the run loop.
  public static func flush() { MainLoop.commit() }
}
