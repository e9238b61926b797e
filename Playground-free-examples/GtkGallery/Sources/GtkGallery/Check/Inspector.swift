import CGtk
import Foundation

/// Reads the contents of the window from the widgets themselves and compares them with the files.
///
/// The place of a cell decides which row belongs there, not the last binding of the cell.
@MainActor
struct Inspector {
  let gallery: Gallery

  struct Sight {
    /// The rows on screen.
    var rows: ArraySlice<FileName> = []
    /// Cells that show something of another row.
    var wrong: [String] = []
    /// Rows that show nothing.
    var blank: [String] = []
    /// Rows that show a small picture until they are decoded.
    var previews: [FileName] = []
  }

  func look(_ expectations: Expectations) -> Sight {
    let (view, names) = (gallery.view, gallery.names)
    let cells = view.visibleCells
    guard let layout = GridLayout(cells, offset: view.offset) else { return Sight() }
    var sight = Sight()
    let rows = layout.rows(at: view.offset, page: view.page, of: names.count)
    sight.rows = names[rows]
    var places = Set(rows)
    for placed in cells {
      guard let position = layout.position(of: placed, offset: view.offset),
        names.indices.contains(position)
      else {
        sight.wrong.append("a cell lies at \(placed.frame.origin), where no row is")
        continue
      }
      places.remove(position)
      inspect(placed.cell, names[position], expectations, &sight)
    }
    sight.blank += places.sorted().map { "\(names[$0]) has no cell" }
    return sight
  }

  private func inspect(
    _ cell: Cell, _ name: FileName, _ expectations: Expectations, _ sight: inout Sight
  ) {
    let caption = String(cString: gtk_label_get_text(cell.caption.pointer))
    if caption != name.description { sight.wrong.append("\(name) is called \(caption)") }
    guard let shown = cell.look else { return sight.blank.append(name.description) }
    if expectations.isPreview(shown, of: name) { sight.previews.append(name) }
    if !expectations.holds(shown, for: name) {
      sight.wrong.append("\(name) shows another picture")
    }
  }

  /// The rows without their picture in the painted window, in the middle of the picture's place.
  func unpainted(in painted: Texture) -> [FileName] {
    let window = gallery.view.window
    // These bounds include the frame that GTK draws around the window's origin.
    let frame = window.bounds(in: window)
    let area = gallery.view.grid.bounds(in: window).offsetBy(dx: -frame.minX, dy: -frame.minY)
    let pixels = painted.pixels
    return gallery.view.visibleCells.compactMap { placed in
      guard let texture = placed.cell.texture, min(texture.width, texture.height) > 6 else {
        return nil
      }
      let place = placed.cell.picture.pointer.widget.bounds(in: window)
      let middle = (x: Int(place.midX - frame.minX), y: Int(place.midY - frame.minY))
      let isInside = area.insetBy(dx: 9, dy: 9).contains(CGPoint(x: middle.x, y: middle.y))
      guard isInside else { return nil }
      let wanted = texture.pixels.mean(
        around: (texture.width / 2, texture.height / 2), width: texture.width)
      let seen = pixels.mean(around: middle, width: painted.width)
      let isSeen = zip(wanted, seen).allSatisfy { abs($0 - $1) < 12 }
      return isSeen ? nil : placed.cell.name
    }
  }
}

extension Cell {
  /// The texture that its widget shows.
  fileprivate var texture: Texture? {
    gtk_picture_get_paintable(picture.pointer).map { Texture(OpaquePointer(g_object_ref($0.raw))) }
  }

  fileprivate var look: Expectations.Look? {
    if let texture { return .picture(texture.digest) }
    return gtk_widget_has_css_class(note.pointer.widget, "failed") != 0 ? .failed : nil
  }
}

extension [UInt32] {
  /// The mean of each channel over some pixels.
  fileprivate func mean(around middle: (x: Int, y: Int), width: Int) -> [Int] {
    let block = (-3...3).flatMap { y in
      (-3...3).map { x in self[(middle.y + y) * width + middle.x + x] }
    }
    return [0, 8, 16].map { shift in
      block.reduce(0) { $0 + Int($1 >> shift & 0xff) } / block.count
    }
  }
}
