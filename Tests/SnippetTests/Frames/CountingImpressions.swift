import RowOperations
import RowOperationsTesting

private struct Post: Identifiable {
  let id: Int
}

private struct Picture: Sendable {}

@MainActor
private final class Analytics {
  var seen: [Post.ID] = []

  func saw(_ id: Post.ID, hasPicture: Bool = true) { seen.append(id) }
}

@MainActor
private func count(_ analytics: Analytics) -> TrackerConfiguration<Post.ID, Picture> {
  //@ var configuration = TrackerConfiguration<Post.ID, Picture>()
  return configuration
}

@MainActor
private final class Screen {
  let analytics = Analytics()
  lazy var tracker = DisplayTracker<Post.ID, Picture>(configuration: configuration) { _ in
    Picture()
  }

  private var configuration: TrackerConfiguration<Post.ID, Picture> {
    var configuration = TrackerConfiguration<Post.ID, Picture>()
    //@ configuration.onImpression = { [unowned self] id in
    return configuration
  }

  func forget(_ expired: [Post.ID]) {
    //@ tracker.forgetImpressions(of: expired)
  }
}

#if canImport(Testing)
  import Testing

  @MainActor
  private func pass(
    _ tracker: DisplayTracker<Int, Picture>, _ clock: ManualClock, _ analytics: Analytics
  ) {
    //@ clock.advance(by: .seconds(1))
  }
#endif
