import CGtk
import Foundation

/// The loop of the main thread: GTK's loop, which also serves Dispatch's main queue and thereby
/// the main actor.
@MainActor
enum MainLoop {
  private static let loop = g_main_loop_new(nil, 0)
  private static var status: Int32 = 0

  /// Runs until `quit` is called.
  ///
  /// Do not call it from a block of the main queue, since that queue would wait for itself.
  static func run() -> Int32 {
    g_unix_fd_add(
      _dispatch_get_main_queue_handle_4CF(), G_IO_IN,
      { descriptor, _, _ in
        // The descriptor stays readable until a read.
        var count: UInt64 = 0
        read(descriptor, &count, 8)
        _dispatch_main_queue_callback_4CF(nil)
        return 1
      }, nil)
    for signal in [SIGINT, SIGTERM] {
      g_unix_signal_add(
        signal,
        { data in
          MainLoop.quit(Int32(128 + Int(bitPattern: data)))
          return 0
        }, gpointer(bitPattern: Int(signal)))
    }
    g_main_loop_run(loop)
    return status
  }

  static func after(seconds: Int, _ body: @escaping @MainActor () -> Void) {
    g_timeout_add_seconds_full(
      G_PRIORITY_DEFAULT, guint(seconds),
      { data in
        object(data, as: Action.self).body()
        return 0
      }, userData(Action(body)), { releaseUserData($0) })
  }

  static func quit(_ status: Int32) {
    self.status = status
    g_main_loop_quit(loop)
  }
}

@MainActor
final class Action {
  let body: @MainActor () -> Void

  init(_ body: @escaping @MainActor () -> Void) { self.body = body }
}

/// Calls back in the loop's next turn, after the current frame.
@MainActor
func afterThisTurn(_ body: @escaping @MainActor () -> Void) {
  g_idle_add_full(
    G_PRIORITY_HIGH_IDLE,
    { data in
      object(data, as: Action.self).body()
      return 0
    }, userData(Action(body)), { releaseUserData($0) })
}

@MainActor
private final class Frames {
  let body: @MainActor (Int64) -> Bool

  init(_ body: @escaping @MainActor (Int64) -> Bool) { self.body = body }
}

extension UnsafeMutablePointer<GtkWidget> {
  /// Calls back at each frame with its time in microseconds, until the answer is `false`.
  @MainActor
  func onEachFrame(_ body: @escaping @MainActor (Int64) -> Bool) {
    gtk_widget_add_tick_callback(
      self,
      { _, clock, data in
        object(data, as: Frames.self).body(Int64(gdk_frame_clock_get_frame_time(clock))) ? 1 : 0
      }, userData(Frames(body)), { releaseUserData($0) })
  }
}
