#if canImport(UIKit) && !os(watchOS)
  import RowOperations
  import UIKit

  //@ import RowOperations

  private class ListViewController: UITableViewController {
    var ids = Array(0..<100)
    var isLoadingPage = false
    let tracker = DisplayTracker<Int, String> { "\($0.row)" }
    lazy var tracking = ListTracking(tableView, tracker) { [unowned self] in ids[$0.row] }

    func loadNextPage() {}
  }

  private final class ComingAndGoing: ListViewController {
    //@ override func viewDidAppear(_ animated: Bool) {
  }

  private final class Pages: ListViewController {
    //@ override func tableView(
  }

  private final class Traits: ListViewController {
    //@ override func traitCollectionDidChange(_ previous: UITraitCollection?) {
  }

  private struct Photo: Identifiable {
    let id: Int
  }

  private enum FeedContent {
    case image(UIImage)
    case text(String)
  }

  private func thumbnail(of id: Photo.ID) async throws -> UIImage { UIImage() }
  private func summary(of url: URL) async throws -> String { url.path }

  @MainActor
  private func mixedRows() {
    //@ enum FeedRow: Hashable, Sendable {
    tracker.removeAll()
  }

  @MainActor
  private func selfSizing(_ tableView: UITableView) -> TrackerConfiguration<Int, String> {
    var configuration = TrackerConfiguration<Int, String>()
    //@ configuration.onCommit = { [weak tableView] _ in
    return configuration
  }

  @MainActor
  private func record(_ tracking: ListTracking) {
    //@ tracking.recordEvents { line in print(line) }
  }
#endif

#if canImport(AppKit)
  import AppKit
  import RowOperations
#elseif !canImport(UIKit)
  import Foundation
  import RowOperations

  // What the block names of AppKit, so that it is compiled where there is none.
  @MainActor private class NSTableView {}
  @MainActor private class NSTableRowView {}
  @MainActor private protocol NSTableViewDelegate: AnyObject {
    func tableView(_ table: NSTableView, didAdd rowView: NSTableRowView, forRow row: Int)
    func tableView(_ table: NSTableView, didRemove rowView: NSTableRowView, forRow row: Int)
  }
#endif

#if canImport(AppKit) || !canImport(UIKit)
  @MainActor
  private final class TitlesDelegate: NSObject, NSTableViewDelegate {
    let ids = Array(0..<100)
    let tracker = DisplayTracker<Int, String> { "\($0.row)" }

    func show(_ phase: RowPhase<String>, in rowView: NSTableRowView) {}

    //@ func tableView(_ table: NSTableView, didAdd rowView: NSTableRowView, forRow row: Int) {
  }
#endif
