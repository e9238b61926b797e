import CGtk
import Foundation

/// Paints pictures of hills, all of them different, each with its number in a corner.
enum SamplePictures {
  /// Writes the pictures with these numbers into a folder; one in a hundred is broken, none on
  /// the first screen.
  static func write(_ numbers: ClosedRange<Int>, to folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for number in numbers {
      let url = folder.appendingPathComponent(name(number))
      if number % 100 == 58 {
        try Data("This is no picture.\n".utf8).write(to: url)
      } else {
        let sizes = [(480, 360), (360, 480), (480, 320), (420, 420)]
        try paint(number, sizes[number % 4], to: url.path)
      }
    }
  }

  static func name(_ number: Int) -> String { "Hills \(number).\(number % 7 == 3 ? "png" : "jpg")" }

  static func paint(_ number: Int, _ size: (width: Int, height: Int), to path: String) throws {
    let (width, height) = size
    let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, gint(width), gint(height))
    defer { cairo_surface_destroy(surface) }
    let context = cairo_create(surface)
    defer { cairo_destroy(context) }
    Landscape(number: number, width: Double(width), height: Double(height)).draw(in: context)
    let picture = gdk_pixbuf_get_from_surface(surface, 0, 0, gint(width), gint(height))
    defer { g_object_unref(picture?.raw) }
    var error: UnsafeMutablePointer<GError>?
    let ending = FileName(path).ending
    let format = ending == "jpg" ? "jpeg" : ending
    guard gdk_pixbuf_savev(picture, path, format, nil, nil, &error) != 0 else {
      throw LibraryError.taken(error)
    }
  }
}

/// Hills below a sky, in colours that follow from a number.
private struct Landscape {
  let number: Int
  let width: Double
  let height: Double

  /// The golden angle keeps the hues of neighbours far apart.
  private var hue: Double { (Double(number) * 0.618_034).truncatingRemainder(dividingBy: 1) }

  /// A share between 0 and 1 that looks drawn by lot and is the same each time.
  private func lot(_ salt: Int) -> Double {
    var state = UInt64(number) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(salt) &* 0xD1B5_4A32_D192_ED03
    state = (state ^ (state >> 31)) &* 0xBF58_476D_1CE4_E5B9
    return Double((state ^ (state >> 29)) >> 11) / Double(1 << 53)
  }

  func draw(in context: OpaquePointer?) {
    drawSky(in: context)
    let layers = 4
    for layer in 0..<layers { drawHills(Double(layer) / Double(layers - 1), in: context) }
    cairo_set_source_rgba(context, 1, 1, 1, 0.75)
    cairo_set_font_size(context, 34)
    cairo_move_to(context, 14, height - 16)
    cairo_show_text(context, "\(number)")
  }

  private func drawSky(in context: OpaquePointer?) {
    let sky = cairo_pattern_create_linear(0, 0, 0, height)
    defer { cairo_pattern_destroy(sky) }
    let top = Self.color(hue: hue, saturation: 0.55, value: 0.55 + 0.4 * lot(1))
    let bottom = Self.color(hue: hue + 0.12, saturation: 0.3, value: 0.98)
    cairo_pattern_add_color_stop_rgb(sky, 0, top.red, top.green, top.blue)
    cairo_pattern_add_color_stop_rgb(sky, 0.8, bottom.red, bottom.green, bottom.blue)
    cairo_set_source(context, sky)
    cairo_paint(context)

    let (x, y, radius) = (
      width * (0.2 + 0.6 * lot(2)), height * (0.15 + 0.3 * lot(3)), width * 0.07
    )
    let glow = cairo_pattern_create_radial(x, y, radius * 0.9, x, y, radius * 4)
    defer { cairo_pattern_destroy(glow) }
    cairo_pattern_add_color_stop_rgba(glow, 0, 1, 0.98, 0.88, 0.95)
    cairo_pattern_add_color_stop_rgba(glow, 0.04, 1, 0.96, 0.8, 0.4)
    cairo_pattern_add_color_stop_rgba(glow, 1, 1, 0.96, 0.8, 0)
    cairo_set_source(context, glow)
    cairo_paint(context)
  }

  /// - Parameter nearness: 0 for the furthest hills, 1 for the nearest.
  private func drawHills(_ nearness: Double, in context: OpaquePointer?) {
    let color = Self.color(
      hue: hue + 0.06 - 0.1 * nearness, saturation: 0.25 + 0.4 * nearness,
      value: 0.8 - 0.58 * nearness)
    cairo_set_source_rgb(context, color.red, color.green, color.blue)
    cairo_move_to(context, 0, height)
    let salt = Int(nearness * 100)
    let waves = (1...4).map { wave in
      (size: height * 0.11 / Double(wave), length: Double(wave) * 1.7, phase: lot(salt + wave) * 7)
    }
    for x in stride(from: 0, through: width, by: 4) {
      let rise = waves.reduce(0) { $0 + $1.size * sin(x / width * $1.length * 3 + $1.phase) }
      cairo_line_to(context, x, height * (0.5 + 0.36 * nearness) - rise)
    }
    cairo_line_to(context, width, height)
    cairo_close_path(context)
    cairo_fill(context)
  }

  private static func color(
    hue: Double, saturation: Double, value: Double
  ) -> (red: Double, green: Double, blue: Double) {
    func channel(_ offset: Double) -> Double {
      let place = (offset + hue * 6).truncatingRemainder(dividingBy: 6)
      return value - value * saturation * max(0, min(place, 4 - place, 1))
    }
    return (channel(5), channel(3), channel(1))
  }
}

/// A temporary folder that lives as long as the object.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("gtk-gallery-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(of name: String) -> String { url.appendingPathComponent(name).path }
}
