/// The reason for a render.
public enum RenderMoment: Hashable, Sendable {
  /// The render happens within `bind` and shows the phase at that moment.
  case binding
  /// The row has changed since the cell was bound.
  case update
}

extension DisplayTracker {
  /// Binds a cell as `bind(_:to:render:)` does, and passes the reason to each render, such as for a
  /// fade.
  ///
  /// ```swift
  /// tracker.bind(cell, to: photo.id) { cell, phase, moment in
  ///   cell.picture.image = phase.value
  ///   if moment == .update { cell.picture.layer.add(CATransition(), forKey: nil) }
  /// }
  /// ```
  ///
  /// **Cost**: that of `bind(_:to:render:)`, and one allocation.
  ///
  /// - Parameters:
  ///   - cell: Any object that represents a spot on screen. Held weakly.
  ///   - row: The row's identity in your model; `nil` unbinds the cell.
  ///   - host: The cell, header or view that holds the cell, if it is a view inside one.
  ///   - render: Shows a phase in the cell, on the main actor. Do not capture the cell.
  public func bind<Cell: AnyObject>(
    _ cell: Cell, to row: Row?, in host: AnyObject? = nil,
    rendering render: @escaping @MainActor (Cell, RowPhase<Value>, RenderMoment) -> Void
  ) {
    let moment = Moment()
    bind(cell, to: row, inside: host) { cell, phase in render(cell, phase, moment.now) }
    moment.now = .update
  }
}

@MainActor
private final class Moment {
  var now = RenderMoment.binding
}
