import Foundation

@MainActor
package protocol RowListing: AnyObject, Sendable {
  /// It may be on screen already.
  func rowAppeared(_ row: AnyHashable, _ listed: any ListedRow)
  func rowDisappeared(_ listed: any ListedRow)
  func rowChanged(to row: AnyHashable, _ listed: any ListedRow)

  func phaseChanged(
    to stage: ScrollStage, along axis: ScrollAxis, velocity: Double?, extent: ScrollExtent?)
  func offsetChanged(x: Double, y: Double)
  func targetChanged(_ change: TargetChange)
}

@MainActor
package protocol ListedRow: AnyObject {
  /// In points; `nil` if the host does not report it.
  func stretch(along axis: ScrollAxis) -> ClosedRange<Double>?
  /// `nil` if the host does not report it.
  ///
  /// The rows of a sheet inherit the list, and are not inside.
  func isInside(_ list: any RowListing) -> Bool?
  func listCovered(_ isCovered: Bool)
}

package enum ScrollAxis: Hashable, Sendable {
  case horizontal
  case vertical
}

/// The host's decision about the end of a scroll, or at rest after a resize.
package struct TargetChange: Hashable, Sendable {
  var axis = ScrollAxis.vertical
  /// In points.
  let start: Double
  let end: Double
  let length: Double
}

/// Makes all decisions between a SwiftUI list and the trackers of its rows.
///
/// It ends the display of rows that a covered list does not report.
@MainActor
package final class RowList<Row: Hashable & Sendable>: RowListing {
  var pages: [Pagination] = []

  private var followers: [(tracker: any RowTracking<Row>, list: Int)] = []
  private var order: RowSource<Row>?
  private var strangers: Set<Row> = []
  /// Also those of sheets and of lists inside this one.
  private var rows = ListedRows<Row>()
  private var cover = ListCover()
  private var phases = ScrollPhases()
  private var target = FlingTarget()
  private var axis = ScrollAxis.vertical
  /// The host has reported the end of the current scroll.
  private var hasTarget = false

  package init() {}

  deinit {
    let followers = followers
    DispatchQueue.main.async {
      for follower in followers { follower.tracker.removeList(follower.list) }
    }
  }

  // MARK: Order

  package func changed(to order: RowSource<Row>, of tracker: DisplayTracker<Row, some Sendable>) {
    changed(to: order, of: [tracker])
  }

  func changed(to order: RowSource<Row>, of trackers: [any RowTracking<Row>]) {
    if !followers.map(\.tracker).elementsEqual(trackers, by: { $0 === $1 }) { follow(trackers) }
    orderChanged(to: order)
  }

  /// For evaluations of bodies: the next turn reads the rows.
  package func orderChanged(to order: RowSource<Row>) {
    self.order = order
    strangers = []
    for follower in followers {
      let isFirst = follower.tracker === followers[0].tracker
      follower.tracker.follow(order, ofList: follower.list) { [weak self] in
        guard let self else { return [] }
        return rows.rows(in: self)
      } moved: { [weak self] shown in
        if isFirst { self?.reportPages(shown) }
      }
    }
    if cover.isInSight { reportIfEmpty() }
  }

  /// No row of an empty list comes on screen.
  private func reportIfEmpty() {
    if order?.count == 0 { reportPages(0..<0) }
  }

  private func reportPages(_ shown: Range<Int>) {
    for page in pages { page.shows(shown, of: order?.count ?? 0) }
  }

  /// As far as the order is known.
  private func isInOrder(_ row: Row) -> Bool {
    guard let order, order.count > 0, let first = followers.first else { return true }
    if strangers.contains(row) {
      return first.tracker.position(of: row, inList: first.list) != nil
    }
    if first.tracker.nearPosition(of: row, inList: first.list, order) != nil { return true }
    strangers.insert(row)
    return false
  }

  private func follow(_ trackers: [any RowTracking<Row>]) {
    let kept = followers
    followers = trackers.map { tracker in
      kept.first { $0.tracker === tracker }
        ?? (tracker, tracker.addList(onBind: nil, share: nil))
    }
    for old in kept where !trackers.contains(where: { $0 === old.tracker }) {
      old.tracker.removeList(old.list)
    }
  }

  // MARK: Rows

  package func rowAppeared(_ row: AnyHashable, _ listed: any ListedRow) {
    guard let row = row.base as? Row else { return }
    rows.insert(listed, as: row)
    if isMember(listed) { uncover() }
  }

  package func rowDisappeared(_ listed: any ListedRow) {
    // From now on, only the row's own reports count.
    if rows.remove(listed) { listed.listCovered(false) }
  }

  package func rowChanged(to row: AnyHashable, _ listed: any ListedRow) {
    if let row = row.base as? Row { rows.insert(listed, as: row) }
  }

  /// A view of a row outside the order may belong to an inner list or a sheet.
  ///
  /// So may a second view of a row. Or SwiftUI reports the new order later.
  private func isMember(_ listed: any ListedRow) -> Bool {
    guard let row = rows.row(firstIn: listed), isInOrder(row) else { return false }
    return rows.isInside(listed, self) != false
  }

  func listAppeared() {
    if cover.appeared() { coverRows(false) }
    reportIfEmpty()
  }

  /// SwiftUI may not report that the list appears again.
  private func uncover() {
    if cover.isSeen() { coverRows(false) }
  }

  func listDisappeared() {
    guard cover.disappeared() else { return }
    // This settles the list in its trackers.
    coverRows(true)
    _ = phases.changed(to: .resting)
  }

  private func coverRows(_ isCovered: Bool) {
    for listed in rows.views {
      let isInside = isMember(listed) || rows.isInside(listed, self) == true
      if !isCovered || isInside { listed.listCovered(isCovered) }
    }
    for page in pages { page.isHidden = isCovered }
    for follower in followers {
      follower.tracker.follow(follower.list, isCovered: isCovered)
    }
  }

  // MARK: Scrolling

  /// - Parameter velocity: In points per second.
  package func phaseChanged(
    to stage: ScrollStage, along axis: ScrollAxis = .vertical, velocity: Double? = nil,
    extent: ScrollExtent? = nil
  ) {
    self.axis = axis
    switch stage {
    case .touched, .dragged, .decelerating: uncover()
    case .resting, .animated: break
    }
    send(phases.changed(to: stage))
    switch stage {
    case .touched, .dragged, .animated:
      hasTarget = false
      target.rested(lines())
    case .decelerating:
      guard !hasTarget, let extent, let distance = phases.distance(velocity: velocity, extent),
        extent.length > 0,
        let indices = lines()?.indices(
          in: distance...distance + extent.length, count: order?.count ?? 0)
      else { return }
      land(on: indices)
    case .resting:
      hasTarget = false
    }
  }

  package func offsetChanged(x: Double, y: Double) {
    send(phases.offsetChanged(to: axis == .horizontal ? x : y))
  }

  package func targetChanged(_ change: TargetChange) {
    // A list inside a row inherits the behavior of this one.
    guard phases.isMoving, change.axis == axis else { return }
    let landing = target.indices(
      from: change.start, to: change.end, length: change.length, count: order?.count ?? 0)
    guard let landing else { return }
    hasTarget = true
    land(on: landing)
  }

  private func land(on indices: Range<Int>) {
    guard let order else { return }
    var rows: [Row] = []
    order.read(indices.clamped(to: 0..<order.count)) { rows.append($1) }
    for follower in followers {
      follower.tracker.scrollWillEnd(landingOn: rows, inList: follower.list)
    }
  }

  private func send(_ action: ScrollAction) {
    guard action != .none else { return }
    for follower in followers { follower.tracker.scrolled(action, inList: follower.list) }
  }

  private func lines() -> RowLines? {
    guard let first = followers.first else { return nil }
    return RowLines(
      rows.views.compactMap { listed in
        guard isMember(listed), let stretch = listed.stretch(along: axis),
          let row = rows.row(firstIn: listed), let order,
          let index = first.tracker.nearPosition(of: row, inList: first.list, order)
        else { return nil }
        return RowLines.Row(index: index, start: stretch.lowerBound, end: stretch.upperBound)
      })
  }
}
