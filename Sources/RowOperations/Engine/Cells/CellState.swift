/// The engine's state of a cell, or of a view inside a cell.
package struct CellState: Hashable, Sendable {
  /// The list's last report about the cell itself.
  package enum Report: Hashable, Sendable {
    case none
    case displayed
    /// The cell is on the screen of a list that is covered.
    case covered
    case ended
  }

  /// Where the cell is, from its report and those of its hosts.
  package enum Presence: Hashable, Comparable, Sendable {
    case away
    /// In a covered list: the cell keeps its row's value and its running load, and no more.
    case covered
    case displayed
  }

  /// The host that the cell is inside of, if any.
  package enum Host: Hashable, Sendable {
    case none
    case cell(CellID)
    /// The host was deallocated.
    case gone
  }

  /// The row that the cell is bound to.
  package internal(set) var row: RowID?
  /// The row that was removed from the cell.
  ///
  /// The cell binds it anew when it next comes on screen before another binding.
  package internal(set) var removedRow: RowID?
  package internal(set) var report = Report.none
  package internal(set) var host = Host.none
  package internal(set) var presence = Presence.away
  /// Whether the cell has been on screen since its last binding.
  package internal(set) var wasDisplayed = false
  /// The serial number of the binding, which grows with each binding and unbinding.
  var serial: UInt64 = 0
  /// The serial number of the binding that the innermost render in progress shows; 0 for none.
  private var rendering: UInt64 = 0
  /// The number of renders in progress, each inside the one before.
  private var renders: UInt8 = 0
  /// How often in a row a render of the cell has bound it anew.
  private var overtakes: UInt8 = 0
  /// Whether the app stops something in the cell when it leaves the screen.
  private(set) var rendersLeaving = false
  /// Whether the last binding, or one before it in the same turn, changed the row.
  private var hasNewRow = false
  /// Whether the cell has left the screen since the last turn, and is rendered for that.
  package internal(set) var isLeaving = false
  /// The row's change number that the cell was last rendered with.
  package internal(set) var shownChange: UInt32 = 0
  /// Why the cell is rendered once more though its row has not changed: the last render left other
  /// content in it.
  private var lostContent: RenderMoment?
  /// The moment of the last render by the loop.
  private(set) var moment = RenderMoment.update
  /// Whether the cell is listed to be forgotten: it goes, if still unused, once no effect is
  /// pending.
  var isForgetting = false
  // Neighbours in the list of the row's cells.
  var previous: CellID?
  var next: CellID?
  // The first view inside the cell, and the neighbours in the list of its host's views.
  var firstView: CellID?
  var previousView: CellID?
  var nextView: CellID?

  @inline(__always) package var isDisplayed: Bool { presence == .displayed }

  /// Whether the cell shows the content with a change number.
  @inline(__always)
  package func shows(_ change: UInt32) -> Bool { shownChange == change && lostContent == nil }

  /// Whether the cell was bound to its row before the last turn ended.
  ///
  /// - Parameter seen: The last serial number of that turn.
  package func isRowSeen(_ seen: UInt64) -> Bool { serial <= seen || !hasNewRow }
}

// Each change of several fields is one call, so that the table checks its uniqueness once (figure
// B12).
extension CellState {
  mutating func bindingBegan(_ binding: Cells.Binding, seen: UInt64) {
    rendered(with: binding.change)
    hasNewRow = binding.hasNewRow || !isRowSeen(seen)
    serial = binding.serial
    renderReplaced(rendersLeaving: binding.rendersLeaving)
  }

  /// Records that the cell has another renderer.
  mutating func renderReplaced(rendersLeaving: Bool) {
    self.rendersLeaving = rendersLeaving
    isLeaving = false
    wasDisplayed = isDisplayed
  }

  mutating func rendered(with change: UInt32) {
    shownChange = change
    moment = lostContent ?? .update
    lostContent = nil
  }

  /// The cell was rendered for its leaving, out of sight: it still has to show its row's content.
  mutating func leavingRendered() {
    isLeaving = false
    moment = .leaving
    lostContent = .update
  }

  /// The cell has a binding that it does not show.
  mutating func bindingUnshown() { lostContent = .binding }

  // MARK: Renders in progress

  /// How often in a row the renders of a cell may bind it anew, one inside or after the other.
  private static let mostInARow: UInt8 = 5

  /// Whether renders have bound the cell too often in a row.
  var isInCircle: Bool {
    isRendering && max(renders, overtakes) >= Self.mostInARow
  }

  /// Whether a render is in progress.
  var isRendering: Bool { renders > 0 }

  /// Whether a render of the binding is in progress, and no other one inside it.
  var isBeingRendered: Bool { isRendering && rendering == serial }

  /// - Returns: The binding that the render in progress around this one shows.
  mutating func renderBegan() -> UInt64 {
    defer { rendering = serial }
    renders += 1
    return rendering
  }

  /// - Returns: Whether the render has bound the cell anew, and may have filled it for the previous
  ///   binding.
  mutating func renderEnded(_ render: TrackerEngine.Render) -> Bool {
    rendering = render.outer
    renders -= 1
    // The render around this one goes on filling the cell.
    if isRendering { return false }
    let isOvertaken = serial != render.serial
    overtakes = isOvertaken ? overtakes + 1 : 0
    return isOvertaken
  }

  /// - Returns: The presence before; `nil` if it is the same.
  mutating func moved(to new: Presence, seen: UInt64) -> Presence? {
    let old = presence
    guard new != old else { return nil }
    presence = new
    guard row != nil else { return old }
    if new == .displayed { wasDisplayed = true }
    isLeaving = rendersLeaving && old == .displayed && new == .away && isRowSeen(seen)
    return old
  }

  mutating func link(to row: RowID, before next: CellID?) {
    self.row = row
    self.next = next
  }

  /// - Returns: Its former neighbours.
  mutating func unlink() -> (previous: CellID?, next: CellID?) {
    defer {
      row = nil
      previous = nil
      next = nil
    }
    return (previous, next)
  }

  mutating func leftHost() {
    previousView = nil
    nextView = nil
    host = .none
  }
}
