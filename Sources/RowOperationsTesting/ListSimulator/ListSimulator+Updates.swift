import RowOperations

extension ListSimulator {
  /// The model has changed altogether: every visible row gets a new cell.
  ///
  /// - Parameters:
  ///   - rows: The new model.
  ///   - endsFirst: Whether the old cells leave before the new ones come, or after. They leave with
  ///     their old indices in both cases.
  public func reload(_ rows: [Row], endsFirst: Bool = true) {
    let old = visible.clamped(to: 0..<self.rows.count).compactMap { index in
      displayed[self.rows[index]].map { (cell: $0, index: index) }
    }
    displayed = [:]
    pool += prepared.values.sorted { $0.number < $1.number } + kept.map(\.cell)
    prepared = [:]
    kept = []
    announced = []
    visible = 0..<0
    self.rows = rows
    geometry = RowGeometry(heights: rows.map(height))
    offset = min(offset, maximumOffset)
    if endsFirst { end(old) }
    layOut()
    if !endsFirst { end(old) }
  }

  private func end(_ old: [(cell: SimulatedCell, index: Int)]) {
    for (cell, index) in old {
      handle(.didEndDisplaying(cell, index: index))
      pool.append(cell)
    }
  }

  /// The viewport has another height, as after a rotation.
  public func resize(to viewport: Double) {
    self.viewport = viewport
    offset = min(offset, maximumOffset)
    layOut()
  }
}
