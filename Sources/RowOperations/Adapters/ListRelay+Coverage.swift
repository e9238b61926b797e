extension ListRelay {
  func covered(_ reason: ListCoverage.Reasons) {
    guard coverage.began(reason) == .covered else { return }
    scrolled(watch.covered())
    for link in links { link.tracker.coverList(link.list, isCovered: true) }
    for view in views.all() { reportOnScreen(view) }
  }

  package var isSuspended: Bool { coverage.contains(.app) }

  func uncovered(_ reason: ListCoverage.Reasons) {
    if coverage.ended(reason) == .uncovered { uncover() }
  }

  /// Retries failed rows, suspended or not.
  func resume() {
    if coverage.ended(.app) == .uncovered { uncover() }
    if !coverage.isCovered { send(.resume) }
  }

  private func uncover() {
    for link in links { link.tracker.coverList(link.list, isCovered: false) }
    // The next layout finds the other views, or they have left.
    for view in views.all(isListed: false) { reportOnScreen(view) }
    isBack = true
    watcher?.lookSoon()
  }

  func recordEvents(_ write: (@MainActor (String) -> Void)?) {
    links.first?.tracker.recordEvents(write)
  }
}
