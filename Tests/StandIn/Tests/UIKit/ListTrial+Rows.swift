#if canImport(UIKit)
  import UIKit

  @testable import RowOperations

  /// The checks of live rows, and of rows that load in batches.
  extension ListTrial {
    /// Lets the server send something.
    func serve() async {
      switch server.source {
      case .loads: break
      case .streams, .loadsAndStreams: for _ in 0..<3 { server.changeRow() }
      case .batches:
        guard server.isReady() else { return }
        // The tracker cancels first what it has to, and no batch that has its answer.
        await hop()
        await checkAnswers()
      }
    }

    // MARK: Streams

    private var isLive: Bool { server.source == .streams || server.source == .loadsAndStreams }

    /// Checks which rows have a stream after the grace, and what they show.
    func checkStreams() async {
      guard isLive else { return }
      await waitForStreams()
      // Rows that have grown push others off the screen, whose grace begins when the list notices.
      for _ in 0..<2 {
        MainLoop.frame(milliseconds: 200)
        MainLoop.turn(isWhole: true)
        await hop()
      }
      if await !Phone.waits(until: { streamsOffScreen.isEmpty }) {
        complain("\(streamsOffScreen) listen off screen")
      }
      await waitForStreams()
    }

    private func waitForStreams() async {
      if await !Phone.waits(isTimePassing: true, until: { streamFault == nil }) {
        complain(streamFault ?? "")
      }
    }

    private var viewsOnScreen: [(row: Int, view: UIView)] {
      lists.filter(isOnScreen).flatMap { list in list.rowsInSight.map { ($0, $1) } }
    }

    private var streamsOffScreen: [Int] {
      Set(server.streams.log.open).subtracting(viewsOnScreen.map(\.row)).sorted()
    }

    private var streamFault: String? {
      let (open, views) = (server.streams.log.open, viewsOnScreen)
      let listening = Set(open)
      guard open.count == listening.count else { return "a row has two streams: \(open)" }
      guard open.count <= server.liveLimit else { return "\(open.count) rows listen" }
      let silent = Set(views.map(\.row)).subtracting(listening).subtracting(server.endedRows)
      if !silent.isEmpty, open.count < server.liveLimit {
        return "\(silent.sorted()) are on screen and do not listen"
      }
      let sent = server.sentValues
      let old = views.first {
        listening.contains($0.row) && $0.view.tag != sent[$0.row] ?? $0.view.tag
      }
      return old.map { "row \($0.row) shows \($0.view.tag), and not the newest element" }
    }

    // MARK: Batches

    /// Checks that each batch that runs has a row that is claimed.
    func checkRunningBatches() async {
      guard server.source == .batches else { return }
      // The list may have noticed in its last turn that a row has left, whose grace goes on.
      if await !Phone.waits(isTimePassing: true, until: { uselessBatches.isEmpty }) {
        complain("\(uselessBatches) run for nothing")
      }
    }

    private var uselessBatches: [[Int]] {
      let running = server.batches.log.waiting
      if running.isEmpty { return [] }
      let engine = tracker.core.state.engine
      return running.filter { rows in
        !rows.compactMap(tracker.knownID).contains { engine.rows[$0].isClaimed }
      }
    }

    /// Answers all batches, after which nothing runs.
    func checkAnswers() async {
      // Rows gather for a while before they load together.
      let isAtRest = await Phone.waits(isTimePassing: true) {
        server.answer()
        return server.batches.log.waiting.isEmpty && tracker.core.isIdle
          && tracker.core.state.engine.runs.count == 0
      }
      if !isAtRest { complain("batches go on") }
      let requested = server.needlessRequests
      if !requested.isEmpty { complain("\(requested) are requested once more for nothing") }
    }

    // MARK: The end

    /// Checks that nothing goes on for lists that have left the window.
    func checkEnd() async {
      guard server.source != .loads else { return }
      for list in lists { list.frame.removeFromSuperview() }
      await settle("end")
    }
  }
#endif
