@testable import AsyncOperations
@testable import TestSupport

#if canImport(ObjectiveC)
  import Foundation

  /// Observes the keys of an operation, as operation queues do on Apple systems.
  ///
  /// It is not a test itself, so that it can be type-checked without the testing library.
  final class KeyValueWitness: NSObject, @unchecked Sendable {
    /// One change: the key, and its values before and after.
    struct Change: Hashable, Sendable {
      let key: String
      let old: Bool?
      let new: Bool?
      /// The value that the operation itself returns during the notification.
      let read: Bool
    }

    private let operation: Operation
    private let keys: [String]
    private let lock = NSLock()
    // Sendable: read and written under the lock.
    private var told: [Change] = []

    init(_ operation: Operation, _ keys: [String] = ["isExecuting", "isFinished"]) {
      self.operation = operation
      self.keys = keys
      super.init()
      for key in keys {
        operation.addObserver(self, forKeyPath: key, options: [.old, .new], context: nil)
      }
    }

    deinit {
      for key in keys { operation.removeObserver(self, forKeyPath: key) }
    }

    /// All changes so far, in order.
    var changes: [Change] { lock.withLock { told } }

    /// The changes of an operation that has run its body.
    static let fullLife = [
      Change(key: "isExecuting", old: false, new: true, read: true),
      Change(key: "isExecuting", old: true, new: false, read: false),
      Change(key: "isFinished", old: false, new: true, read: true),
    ]

    /// The changes of an operation that was cancelled or finished before its start.
    static let noLife = [Change(key: "isFinished", old: false, new: true, read: true)]

    /// The change of a cancel before the end is decided.
    static let cancel = [Change(key: "isCancelled", old: false, new: true, read: true)]

    override func observeValue(
      forKeyPath key: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
      context: UnsafeMutableRawPointer?
    ) {
      guard let key, let read = operation.value(forKey: key) as? Bool else { return }
      let change = Change(
        key: key, old: change?[.oldKey] as? Bool, new: change?[.newKey] as? Bool, read: read)
      lock.withLock { told.append(change) }
    }
  }
#endif
