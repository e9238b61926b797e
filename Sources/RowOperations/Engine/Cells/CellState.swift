/// The engine's state of a cell, or of a view inside one.
package struct CellState: Hashable, Sendable {
  /// The list's last report about the cell itself.
  package enum Report: Hashable, Sendable {
    case none
    case displayed
    /// On the screen of a covered list.
    case covered
    /// As `covered`, but low memory spares the value.
    case inBackground
    case ended
  }

  /// Where the cell is, by its report and those of its hosts.
  enum Presence: Hashable, Comparable, Sendable {
    case away
    /// In a covered list: the cell keeps its row's value and load, and no more.
    case covered
    case displayed
  }

  /// The host that the cell is inside of.
  package enum Host: Hashable, Sendable {
    case none
    case cell(CellID)
    case gone
  }

  package internal(set) var row: RowID?
  /// The row that was removed from the cell.
  ///
  /// The cell binds it anew if it comes on screen before another binding.
  var removedRow: RowID?
  package internal(set) var report = Report.none
  package internal(set) var host = Host.none
  var presence = Presence.away
  /// Since the last binding.
  var wasDisplayed = false
  /// Grows with each binding and unbinding.
  var serial: UInt64 = 0
  /// The binding that the innermost render in progress shows; 0 for none.
  private var rendering: UInt64 = 0
  /// Renders in progress, each inside the one before.
  private var renders: UInt8 = 0
  /// How often in a row a render has bound the cell anew.
  private var overtakes: UInt8 = 0
  /// The app stops something in the cell when it leaves the screen.
  private(set) var rendersLeaving = false
  /// Whether a binding of its turn changed the row.
  private var hasNewRow = false
  /// Whether the cell has left the screen since the last turn.
  var isLeaving = false
  /// The row's change number in the last render.
  var shownChange: UInt32 = 0
  /// Why an unchanged row is rendered again: the last render left other content in it.
  private var lostContent: RenderMoment?
  /// Of the last render by the loop.
  private(set) var moment = RenderMoment.update
  /// The cell goes, if still unused, once no effect is pending.
  var isForgetting = false
  // Neighbours in the list of the row's cells.
  var previous: CellID?
  var next: CellID?
  // The first view inside the cell, and the neighbours in its host's list.
  var firstView: CellID?
  var previousView: CellID?
  var nextView: CellID?

  @inline(__always) package var isDisplayed: Bool { presence == .displayed }

  @inline(__always)
  package func shows(_ change: UInt32) -> Bool { shownChange == change && lostContent == nil }

  /// Whether the cell was bound to its row before the last turn ended.
  ///
  /// - Parameter seen: The last serial number of that turn.
  func isRowSeen(_ seen: UInt64) -> Bool { serial <= seen || !hasNewRow }
}

// One call for several fields: the table checks its uniqueness once (figure B12).
extension CellState {
  mutating func bindingBegan(_ serial: UInt64, hasNewRow: Bool, seen: UInt64) {
    self.hasNewRow = hasNewRow || !isRowSeen(seen)
    self.serial = serial
  }

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

  /// The render was out of sight: the cell still has to show its row's content.
  mutating func leavingRendered() {
    isLeaving = false
    moment = .leaving
    lostContent = .update
  }

  mutating func bindingUnshown() { lostContent = .binding }

  // MARK: Renders in progress

  /// How often in a row renders may bind their cell anew, one inside or after the other.
  private static let mostInARow: UInt8 = 5

  var isInCircle: Bool {
    isRendering && max(renders, overtakes) >= Self.mostInARow
  }

  var isRendering: Bool { renders > 0 }

  /// Whether a render of the binding is in progress, with no other inside it.
  var isBeingRendered: Bool { isRendering && rendering == serial }

  /// - Returns: The binding of the render around this one.
  mutating func renderBegan() -> UInt64 {
    defer { rendering = serial }
    renders += 1
    return rendering
  }

  /// - Returns: Whether the render has bound the cell anew, and may have filled it for the binding
  ///   before.
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
