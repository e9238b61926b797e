import CGtk
import RowOperations

/// Reports the grid's list items to the tracker.
extension Gallery {
  func connectRows() {
    view.factory.on("setup") { [unowned self] item in setUp(item) }
    view.factory.on("bind") { [unowned self] item in
      guard let cell = Cell.of(gtk_list_item_get_child(item)),
        let string = gtk_list_item_get_item(item)
      else { return }
      bind(cell, to: FileName(cString: gtk_string_object_get_string(string.opaque)), from: item)
    }
    view.factory.on("unbind") { [unowned self] item in
      guard let cell = Cell.of(gtk_list_item_get_child(item)) else { return }
      cell.release()
      tracker.unbind(cell)
    }
    view.grid.on("activate", position: { [unowned self] in tracker.retry(names[$0]) })
    view.afterEachFrame { [unowned self] in frameMade() }
  }

  private func setUp(_ item: OpaquePointer) {
    let cell = Cell()
    gtk_list_item_set_child(item, cell.root)
    cell.root.on("map") { [unowned self, unowned cell] in arrive(cell) }
    cell.root.on("unmap") { [unowned self, unowned cell] in leave(cell) }
  }

  private func bind(_ cell: Cell, to name: FileName, from item: OpaquePointer) {
    // The grid has not laid out a cell that shows another row from now on.
    if cell.isMapped, cell.name != name {
      leave(cell)
      arrive(cell)
    }
    cell.take(name, from: item)
    let wrong = mistake == .cell ? lastBound : nil
    lastBound = cell
    tracker.bind(cell, to: name) { [weak wrong] cell, phase in (wrong ?? cell).show(phase) }
    if mistake == .loads { tracker.willDisplay(cell) }
  }

  /// Notes a mapped cell; the grid maps all cells until it has laid them out.
  private func arrive(_ cell: Cell) {
    arrivals[ObjectIdentifier(cell)] = cell
    expectLayout()
  }

  private func leave(_ cell: Cell) {
    arrivals[ObjectIdentifier(cell)] = nil
    if mistake != .loads { tracker.didEndDisplaying(cell) }
    expectLayout()
  }

  func expectLayout() {
    isLayoutDue = true
    view.requestFrame()
  }

  /// Reports the cells that are still mapped after a frame, since these are on screen.
  private func frameMade() {
    guard isLayoutDue else { return }
    isLayoutDue = false
    for cell in arrivals.values.sorted(by: { ($0.position ?? 0) < ($1.position ?? 0) }) {
      tracker.willDisplay(cell)
    }
    arrivals = [:]
  }
}
