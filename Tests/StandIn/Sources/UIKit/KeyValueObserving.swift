@_exported import Kit

/// An observation, which ends with its object.
public final class NSKeyValueObservation: NSObject {
  fileprivate let handler: @MainActor (AnyObject) -> Void

  fileprivate init(_ handler: @escaping @MainActor (AnyObject) -> Void) { self.handler = handler }
}

/// The observers of an object's properties.
@MainActor
public struct _KeyValueObservers {
  private struct Entry {
    weak var observation: NSKeyValueObservation?
    let keyPath: AnyKeyPath
  }

  private var entries: [Entry] = []

  fileprivate mutating func add(_ observation: NSKeyValueObservation, _ keyPath: AnyKeyPath) {
    entries.removeAll { $0.observation == nil }
    entries.append(Entry(observation: observation, keyPath: keyPath))
  }

  fileprivate func of(_ keyPath: AnyKeyPath) -> [NSKeyValueObservation] {
    entries.filter { $0.keyPath == keyPath }.compactMap(\.observation)
  }
}

@MainActor
public protocol _KeyValueObserved: AnyObject {
  var _observers: _KeyValueObservers { get set }
}

extension _KeyValueObserved {
  /// Calls the observers, after the change (Key-Value Observing Programming Guide).
  func didChange(_ keyPath: AnyKeyPath) {
    for observation in _observers.of(keyPath) { observation.handler(self) }
  }

  public func observe<Value>(
    _ keyPath: KeyPath<Self, Value>,
    changeHandler: @escaping @MainActor (_ object: Self, _ change: Void) -> Void
  ) -> NSKeyValueObservation {
    let observation = NSKeyValueObservation { object in
      changeHandler(unsafeDowncast(object, to: Self.self), ())
    }
    _observers.add(observation, keyPath)
    return observation
  }
}
