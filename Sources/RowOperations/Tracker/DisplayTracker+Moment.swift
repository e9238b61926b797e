/// The reason for a render.
public enum RenderMoment: Hashable, Sendable {
  /// The render happens within `bind`, or repeats that: for a cell that was bound in its own
  /// render, or shows a removed row on its return.
  case binding
  /// The row has changed since, or the cell comes back after ``leaving``.
  case update
  /// The cell has left the screen, so stop what it plays.
  ///
  /// The render comes at the end of the turn, once. It does not come if
  ///
  /// - the cell got its row in the same turn;
  /// - the cell is bound, deallocated or back on screen before the end of the turn;
  /// - the list of the cell is covered.
  case leaving
}

extension DisplayTracker {
  /// Binds a cell, and passes the reason to each render, such as for a fade.
  ///
  /// ```swift
  /// pictures.bind(cell, to: photo.url) { cell, phase, moment in
  ///   cell.picture.image = phase.value?.image
  ///   if moment == .update { cell.picture.layer.add(CATransition(), forKey: nil) }
  /// }
  /// ```
  ///
  /// Like `bind(_:to:render:)`, but a cell that leaves is rendered once more, with
  /// ``RenderMoment/leaving``.
  ///
  /// **Cost**: one more render for each cell that leaves.
  ///
  /// - Parameters:
  ///   - cell: Any object that represents a spot on screen. Held weakly.
  ///   - row: The row's identity in your model; `nil` unbinds the cell.
  ///   - host: The cell, header or view that holds the cell, if it is a view inside one.
  ///   - render: Shows a phase in the cell, on the main actor. Do not capture the cell.
  @inlinable
  public func bind<Cell: AnyObject>(
    _ cell: Cell, to row: Row?, in host: AnyObject? = nil,
    rendering render: @escaping @MainActor (Cell, RowPhase<Value>, RenderMoment) -> Void
  ) {
    let id: RowID? = if let row { prepare(row) } else { nil }
    core.bind(cell, to: id, in: host, rendersLeaving: true) { object, content in
      guard let cell = object as? Cell else { return }
      render(cell, RowPhase(content), content.moment)
    }
  }
}
