#if canImport(Observation)
  import Observation
#endif

/// The observers of phases, by row.
///
/// A stream or a registration with Observation holds its observer. Entries of gone observers go
/// later.
@MainActor
final class PhaseObservers<Row: Hashable & Sendable, Value: Sendable> {
  struct Entry {
    weak var observer: PhaseObserver<Value>?
  }

  private(set) var entries: [Row: [Entry]] = [:]
  private var callsUntilCleanup = 16

  deinit {
    for entry in entries.values.joined() { entry.observer?.stream?.finish() }
  }

  func add(_ observer: PhaseObserver<Value>, to row: Row) {
    dropGone()
    entries[row, default: []].append(Entry(observer: observer))
  }

  func move(from old: Row, to new: Row) {
    guard let index = entries.index(forKey: old) else { return }
    let moved = entries.remove(at: index)
    entries[new, default: []] += moved.value
    releaseHere(moved)
  }

  func phaseChanged(
    of row: Row, to version: PhaseVersion, _ phase: @autoclosure () -> RowPhase<Value>
  ) {
    dropGone()
    for observer in observers(of: row) where observer.seen != version {
      observer.seen = version
      if let stream = observer.stream { stream.yield(phase()) } else { notifyTracking(observer) }
    }
  }

  private func observers(of row: Row) -> [PhaseObserver<Value>] {
    entries[row, default: []].compactMap(\.observer)
  }

  private func dropGone() {
    callsUntilCleanup -= 1
    guard callsUntilCleanup <= 0 else { return }
    // The rows are released outside of the change.
    let old = entries
    entries = old.compactMapValues { entries in
      let left = entries.filter { $0.observer != nil }
      return left.isEmpty ? nil : left
    }
    callsUntilCleanup = max(entries.count, 16)
    releaseHere(old)
  }

  // MARK: Observation

  #if canImport(Observation)
    /// An `ObservationRegistrar`, which older systems lack.
    private let registrar: (any Sendable)? = {
      guard #available(iOS 17, macOS 14, tvOS 17, watchOS 10, *) else { return nil }
      return ObservationRegistrar()
    }()

    nonisolated subscript(observer: PhaseObserver<Value>) -> Void { () }

    /// - Returns: Whether the row has an observer.
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    func track(_ row: Row, from version: PhaseVersion?) -> Bool {
      guard let registrar = registrar as? ObservationRegistrar else { return false }
      let known = observers(of: row).first { $0.stream == nil }
      var observer = known ?? PhaseObserver(seen: version)
      registrar.access(self, keyPath: \.[observer])
      // A tracking holds the key path, and so the observer.
      guard known == nil, !isKnownUniquelyReferenced(&observer) else { return false }
      add(observer, to: row)
      return true
    }

    private func notifyTracking(_ observer: PhaseObserver<Value>) {
      guard #available(iOS 17, macOS 14, tvOS 17, watchOS 10, *),
        let registrar = registrar as? ObservationRegistrar
      else { return }
      registrar.withMutation(of: self, keyPath: \.[observer]) {}
    }
  #else
    private func notifyTracking(_ observer: PhaseObserver<Value>) {}
  #endif
}

#if canImport(Observation)
  @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
  extension PhaseObservers: Observable {}
#endif

/// An observer of a row's phase.
///
/// It holds no object of the app: Observation may release it anywhere.
@MainActor
final class PhaseObserver<Value: Sendable>: Hashable {
  /// `nil` if Observation tracks the row.
  let stream: AsyncStream<RowPhase<Value>>.Continuation?
  /// `nil` for an unknown row.
  var seen: PhaseVersion?

  init(seen: PhaseVersion?, stream: AsyncStream<RowPhase<Value>>.Continuation? = nil) {
    (self.seen, self.stream) = (seen, stream)
  }

  nonisolated static func == (a: PhaseObserver, b: PhaseObserver) -> Bool { a === b }

  nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
