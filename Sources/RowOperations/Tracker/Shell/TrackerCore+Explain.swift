extension TrackerCore {
  func explanation(of row: RowID) -> String {
    let rowState = state.engine.rows[row]
    let value = rowState.hasValue && rowState.work != .none ? "shows an older value and " : ""
    switch rowState.work {
    case .none: return restingState(of: row, rowState)
    case .waiting: return value + "waits" + reasonToWait(of: row)
    case .running(let run, _):
      return value + "has been loading for " + describe(state.engine.load(of: run))
        + company(of: run)
    case .backoff(let end):
      return
        "has failed and loads again \(state.engine.isSuspended ? "after resume()" : "in \((end - time).text)"): "
        + error(of: row)
    case .failed: return "has failed, and loads again on its next display: \(error(of: row))"
    case .givenUp:
      let chance = state.engine.nextChance(of: row).map { ($0 - time).text }
      let next = chance.map { ", or display it again in \($0)" } ?? ""
      return "has failed and was given up, call retry(_:)\(next): \(error(of: row))"
    }
  }

  func error(of row: RowID) -> String {
    switch state.engine.rows[row].failure {
    case .timeOut: Self.timeOut.description
    case .none, .error: state.errors[row].map { "\($0)" } ?? "it was cancelled"
    }
  }

  private func restingState(of id: RowID, _ row: RowState) -> String {
    if row.listening == .owed, let stream = state.engine.streams[id] {
      let age = (time - stream.openedAt).text
      return "waits for the first element of its stream, which has opened \(age) ago, in no slot"
    }
    switch row.knowledge {
    case .value: return "is loaded" + explanationOfStream(of: id)
    case .nothing: return "has nothing to load: the tracker's operation closure returned nil"
    case .unknown, .staleValue: break
    }
    guard !row.isClaimed else { return "waits for the next turn of the main queue" }
    guard row.bindings > 0 else { return "is not needed: no cell is bound to it" }
    return "is not needed: no cell bound to it is on screen, or willDisplay is not forwarded"
  }

  // MARK: Waiting

  private func reasonToWait(of row: RowID) -> String {
    if state.engine.isSuspended { return ": the tracker is suspended" }
    let now = time
    switch state.engine.place(of: row, at: now) {
    case nil: return ""
    case .held(let left, let load):
      return ", held back: on screen for \(left.text), load \(load.text)"
    case .heldUntilRest: return ", held back: the list moves"
    case .stopped(.paused(let end)):
      return ": loads pause for another \((end - time).text)"
    case .stopped(.probed): return ": loads have paused, and the first one since then runs"
    case .stopped(.tooSoon(let end)):
      return ": the rate of starts is reached, the next load starts in \((end - time).text)"
    case .laneIsFull(let count): return ": \(count) loads of its lane run, which is the limit"
    case .gathering: return ": it comes on screen late enough for its batch to take further rows"
    case .inLine(let before, let first):
      var line = "\((before + 1).ordinal) in line"
      if before > 0 {
        let place = state.engine.rows[first].displays > 0 ? " on screen" : ""
        line += ", row \(store.name(of: first))\(place) gains more"
      }
      return ": " + ([line] + slots.holders).joined(separator: "; ")
    }
  }

  // MARK: Slots

  func describe(_ run: RunID, names: Bool = false) -> String {
    let load = state.engine.runs[run]
    let operation = operation(of: run)
    var text = (time - load.startedAt).text
    if names {
      let isLingering = load.stage == .cancelled || load.stage == .timedOut
      text += " by \(isLingering ? "cancelled " : "")"
      text += rowNames(of: operation)
    }
    if let stage = operation?.tracked.stages.current { text += " in stage \(stage.name)" }
    return text
  }
}

// MARK: Batches

extension TrackerCore {
  private func company(of run: RunID) -> String {
    guard state.engine.runs[run].isMember else { return "" }
    let count = state.engine.runs.members(of: state.engine.load(of: run)).count - 1
    switch count {
    case 0: return ", in a batch of its own"
    case 1: return ", in a batch with one other row"
    default: return ", in a batch with \(count) others"
    }
  }

  private func rowNames(of operation: (any TrackedUpdate)?) -> String {
    let names = operation.map { store.names(of: $0) } ?? []
    guard let first = names.first else { return "a row" }
    switch names.count {
    case 1: return "row \(first)"
    case 2: return "rows \(first) and \(names[1])"
    default: return "rows \(first), \(names[1]) and \(names.count - 2) more"
    }
  }
}

extension UpdateSlots {
  /// The holder of each slot, in words.
  var holders: [String] {
    let all = slotHolders.sorted(byNumber: { -Double($0.age) })
    // As many lingering bodies as slots run without holding one.
    let lingering =
      all.filter(\.isLingering).map(\.text)
      + Array(repeating: "a while by a cancelled load of a deallocated tracker", count: orphans)
    let holding =
      all.filter { !$0.isLingering }.map(\.text) + lingering.prefix(max(lingering.count - count, 0))
    return holding.enumerated().map { index, text in "slot \(index + 1) held for \(text)" }
  }
}

extension Int64 {
  /// Nanoseconds as text for people.
  var text: String {
    let milliseconds = Swift.max(self, 0) / 1_000_000
    guard milliseconds >= 1_000 else { return "\(milliseconds) ms" }
    let tenths = milliseconds / 100
    return tenths < 100 && tenths % 10 > 0 ? "\(tenths / 10).\(tenths % 10) s" : "\(tenths / 10) s"
  }
}
