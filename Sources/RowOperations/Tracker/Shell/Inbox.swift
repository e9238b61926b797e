import Foundation

/// Receives the news of operations on any thread, for one turn of the main queue.
final class Inbox: UpdateOwner {
  private let news = Lock<[UpdateNews]>([])
  private let slots: UpdateSlots
  @MainActor weak var core: TrackerCore?

  init(slots: UpdateSlots) { self.slots = slots }

  func receive(_ new: UpdateNews) {
    let isFirst = news.withLock { news in
      news.append(new)
      return news.count == 1
    }
    // The turn takes everything that has arrived by then.
    if isFirst { DispatchQueue.main.async { self.takeTurn() } }
  }

  func empty() -> [UpdateNews] { news.exchange([]) }

  @MainActor
  private func takeTurn() {
    if let core { return core.takeTurn() }
    slots.orphansEnded(empty().compactMap(\.ended).count)
  }
}
