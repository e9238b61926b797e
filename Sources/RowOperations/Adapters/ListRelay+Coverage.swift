/// The list as a whole.
extension ListRelay {
  func covered(_ reason: ListCoverage.Reasons) {
    guard !coverage.contains(reason) else { return }
    trace?.event("cover \(reason.name)")
    guard coverage.began(reason) == .covered else { return }
    scrolled(watch.covered())
    for link in links { link.tracker.coverList(link.list, isCovered: true) }
    for view in views.all() { reportOnScreen(view) }
  }

  package var isSuspended: Bool { coverage.contains(.app) }

  func uncovered(_ reason: ListCoverage.Reasons) {
    guard coverage.contains(reason) else { return }
    trace?.event("uncover \(reason.name)")
    if coverage.ended(reason) == .uncovered { uncover() }
  }

  /// Resumes the list, suspended or not, which retries failed rows.
  func resume() {
    trace?.event("resume")
    if coverage.ended(.app) == .uncovered { uncover() }
    if !coverage.isCovered { send(.resume) }
  }

  private func uncover() {
    for link in links { link.tracker.coverList(link.list, isCovered: false) }
    // The next layout finds the other views. Those that it does not find have left meanwhile.
    for view in views.all(isListed: false) { reportOnScreen(view) }
    isBack = true
    watcher?.lookSoon()
  }

  func invalidateAll() {
    for link in links { link.tracker.invalidateAll() }
  }

  func recordEvents(_ write: (@MainActor (String) -> Void)?) {
    links.first?.tracker.recordEvents(write)
  }

  func recordTrace(_ write: (@MainActor (String) -> Void)?) {
    guard let watcher else { return }
    trace = write.map { write in
      ListTrace(watcher.listName, now: { [weak watcher] in watcher?.now ?? 0 }, write)
    }
    // The next layout reads the order again, so that the text has it.
    if write != nil { dataChanged() }
  }

  func trace(_ text: () -> String) { trace?.event(text()) }
}
