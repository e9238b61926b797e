import Foundation

#if canImport(Network)
  import Network
#endif

/// Reports to trackers and pages that the network is back.
///
/// The process has one, from the first failed page or load without a network on.
@MainActor
final class NetworkWatch {
  static let shared = NetworkWatch()

  let users = LiveUsers<TrackerCore>()
  let pages = LiveUsers<Pagination>()
  private var wasSatisfied = true
  #if canImport(Network)
    private var monitor: NWPathMonitor?
  #endif

  func add(_ core: TrackerCore) {
    users.add(core)
    start()
  }

  func add(_ pages: Pagination) {
    self.pages.add(pages)
    start()
  }

  func healPages() { for page in pages.all { page.networkReturned() } }

  private func start() {
    #if canImport(Network)
      guard monitor == nil else { return }
      let monitor = NWPathMonitor()
      monitor.pathUpdateHandler = { [weak self] path in
        let isSatisfied = path.status == .satisfied
        MainThread.assumeIsolated { self?.pathChanged(isSatisfied: isSatisfied) }
      }
      monitor.start(queue: .main)
      self.monitor = monitor
    #endif
  }

  func pathChanged(isSatisfied: Bool) {
    defer { wasSatisfied = isSatisfied }
    guard isSatisfied, !wasSatisfied else { return }
    for core in users.all { core.enter(.networkDidReturn) }
    healPages()
  }
}
