import CGtk
import Foundation

/// Shows the pictures of a folder, or checks that they are shown rightly.
@main
@MainActor
enum GtkGallery {
  static func main() {
    do {
      let options = try Options.parse(arguments)
      if options.showsHelp { return print(Options.help) }
      exit(options.checks ? try check(options) : try show(options))
    } catch {
      complain(error)
      exit(2)
    }
  }

  /// The command line in its own bytes.
  private static var arguments: [FileName] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      CommandLine.unsafeArgv[index].map { FileName(cString: $0) }
    }
  }

  private static func show(_ options: Options) throws -> Int32 {
    let samples = options.showsSamples ? try TemporaryFolder() : nil
    let hills = samples?.url.appendingPathComponent("Hills")
    let folder = Folder(hills.map { FileName($0.path) } ?? options.path ?? FileName("."))
    if samples == nil { _ = try folder.entries() }
    try openDisplay()
    if let hills { try SamplePictures.write(1...240, to: hills) }
    let gallery = Gallery(folder)
    gallery.show(try folder.entries())
    gallery.view.window.on("destroy") { MainLoop.quit(0) }
    gtk_window_present(gallery.view.window.cast(to: GtkWindow.self))
    return withExtendedLifetime(samples) { MainLoop.run() }
  }

  private static func check(_ options: Options) throws -> Int32 {
    // The check needs no help for other programs, and every error of GTK ends it.
    setenv("GTK_A11Y", "none", 1)
    // Other renderers compile shaders in their first run, which blocks the main loop.
    setenv("GSK_RENDERER", "cairo", 0)
    g_log_set_always_fatal(
      GLogLevelFlags(rawValue: G_LOG_LEVEL_ERROR.rawValue | G_LOG_LEVEL_CRITICAL.rawValue))
    try openDisplay()
    let check = try Check(mistake: options.mistake)
    MainLoop.after(seconds: 300) {
      complain(Complaint("The check takes more than 300 seconds."))
      MainLoop.quit(1)
    }
    Task {
      do {
        MainLoop.quit(try await check.run(screenshot: options.screenshot) ? 0 : 1)
      } catch {
        complain(error)
        MainLoop.quit(1)
      }
    }
    return MainLoop.run()
  }

  private static func openDisplay() throws {
    guard gtk_init_check() == 0 else { return }
    throw Complaint(
      "There is no display. On a machine without a screen, 'xvfb-run -a gtk-gallery' makes one.")
  }

  private static func complain(_ error: any Error) {
    FileHandle.standardError.write(Data("gtk-gallery: \(error)\n".utf8))
  }
}
