import CGtk
import Foundation

/// Compares what the widgets show with the files, which it decodes by other calls than the gallery.
///
/// The place of a cell decides which row belongs there, not the last binding of the cell.
@MainActor
final class Inspector {
  /// A digest of pixels; `nil` for a file that is no picture.
  private typealias Look = Int?

  private let side: Int
  private var looks: [FileName: Look] = [:]
  /// The earlier looks of replaced files, which may stay until the files are loaded again.
  private var former: [FileName: Look] = [:]

  init(side: Int) { self.side = side }

  /// Expects the picture of a file for a row.
  func expect(_ name: FileName, at path: FileName) {
    former[name] = looks[name]
    looks[name] = .some(try? Texture(atOnce: path, side: side).digest)
  }

  func expect(_ name: FileName, as other: FileName) { looks[name] = looks[other] }

  func forgetFormerLooks() { former = [:] }

  /// The rows on screen, and what is wrong with them.
  func look(at gallery: Gallery, isAtRest: Bool) -> (rows: ArraySlice<FileName>, faults: [String]) {
    let (view, names) = (gallery.view, gallery.names)
    let cells = view.visibleCells
    guard let layout = GridLayout(cells, offset: view.offset) else { return ([], []) }
    let rows = layout.rows(at: view.offset, page: view.page, of: names.count)
    var (faults, empty): ([String], Set<Int>) = ([], Set(rows))
    for placed in cells {
      guard let position = layout.position(of: placed, offset: view.offset),
        names.indices.contains(position)
      else {
        faults.append("a cell lies at \(placed.frame.origin), where no row is")
        continue
      }
      let (name, cell) = (names[position], placed.cell)
      let caption = String(cString: gtk_label_get_text(cell.caption.pointer))
      if caption != name.description { faults.append("\(name) is called \(caption)") }
      let isFailed = gtk_widget_has_css_class(cell.note.pointer.widget, "failed") != 0
      guard cell.texture != nil || isFailed else { continue }
      empty.remove(position)
      let shown = cell.texture?.digest
      if shown != looks[name], former[name].map({ shown != $0 }) ?? true {
        faults.append("\(name) shows another picture")
      }
    }
    if isAtRest { faults += empty.map { "\(names[$0]) is blank at rest" } }
    return (names[rows], faults)
  }

  /// The rows without their picture in the painted window, in the middle of the picture's place.
  func unpainted(in painted: Texture, _ view: GalleryView) -> [FileName] {
    // These bounds include the frame that GTK draws around the window's origin.
    let frame = view.window.bounds(in: view.window)
    let area = view.grid.bounds(in: view.window).offsetBy(dx: -frame.minX, dy: -frame.minY)
    let pixels = painted.pixels
    return view.visibleCells.compactMap { placed in
      guard let texture = placed.cell.texture else { return nil }
      let place = placed.cell.picture.pointer.widget.bounds(in: view.window)
      let middle = (x: Int(place.midX - frame.minX), y: Int(place.midY - frame.minY))
      guard area.insetBy(dx: 9, dy: 9).contains(CGPoint(x: middle.x, y: middle.y)) else {
        return nil
      }
      let wanted = texture.pixels.mean(
        around: (texture.width / 2, texture.height / 2), width: texture.width)
      let seen = pixels.mean(around: middle, width: painted.width)
      return zip(wanted, seen).allSatisfy { abs($0 - $1) < 12 } ? nil : placed.cell.name
    }
  }
}

/// Measures for how long the main loop works without a turn, in seconds.
@MainActor
final class LoopWatch {
  /// How much the main thread may work in a turn.
  let mostWork: Double
  private var longest = 0.0
  private var last = work

  /// The work of the main thread so far; other programs do not prolong it.
  static var work: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  init(mostWork: Double) {
    self.mostWork = mostWork
    // The source has the priority of frames, so a turn that delays it delays them.
    g_timeout_add_full(
      G_PRIORITY_HIGH_IDLE + 20, 5,
      { data in
        object(data, as: LoopWatch.self).turn()
        return 1
      }, userData(self), { releaseUserData($0) })
  }

  private func turn() {
    longest = max(longest, Self.work - last)
    last = Self.work
  }

  /// Does work for the check, which counts for no turn.
  func leaveOut<Output>(_ body: () throws -> Output) rethrows -> Output {
    let start = Self.work
    defer { last += Self.work - start }
    return try body()
  }

  /// - Returns: The longest turn since the last call.
  func takeLongest() -> Double {
    turn()
    defer { longest = 0 }
    return longest
  }
}

extension Cell {
  /// The texture that its widget shows.
  fileprivate var texture: Texture? {
    gtk_picture_get_paintable(picture.pointer).map { Texture(OpaquePointer(g_object_ref($0.raw))) }
  }
}

extension Texture {
  /// Decodes a file in one piece.
  convenience init(atOnce path: FileName, side: Int) throws {
    var (width, height): (gint, gint) = (0, 0)
    _ = path.withCString { gdk_pixbuf_get_file_info($0, &width, &height) }
    let fitting = min(gint(side), max(width, height))
    guard
      let picture = path.withCString({
        gdk_pixbuf_new_from_file_at_scale($0, fitting, fitting, 1, nil)
      })
    else { throw Complaint("'\(path)' is no picture.") }
    defer { g_object_unref(picture.raw) }
    self.init(upright: picture)
  }

  /// A number that is the same for the same pixels.
  fileprivate var digest: Int {
    var hasher = Hasher()
    hasher.combine(width)
    pixels.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }

  func write(to path: String) throws {
    guard gdk_texture_save_to_png(pointer, path) != 0 else {
      throw Complaint("'\(path)' cannot be written.")
    }
  }
}

extension GalleryView {
  /// The painted window with its frame.
  func snapshot() throws -> Texture {
    let paintable = gtk_widget_paintable_new(window)
    defer { g_object_unref(paintable?.raw) }
    let size = window.bounds(in: window).size
    let snapshot = gtk_snapshot_new()
    gdk_paintable_snapshot(paintable, snapshot, size.width, size.height)
    guard let node = gtk_snapshot_free_to_node(snapshot) else {
      throw Complaint("The window is not painted.")
    }
    defer { gsk_render_node_unref(node) }
    var bounds = graphene_rect_t(
      origin: .init(x: 0, y: 0), size: .init(width: Float(size.width), height: Float(size.height)))
    let renderer = gtk_native_get_renderer(window.opaque)
    return Texture(gsk_renderer_render_texture(renderer, node, &bounds))
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
