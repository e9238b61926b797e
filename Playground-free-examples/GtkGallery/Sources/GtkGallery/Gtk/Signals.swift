import CGtk

/// The handler of a signal, which the C library owns.
@MainActor
private final class Handler<Argument> {
  let body: @MainActor (Argument) -> Void

  init(_ body: @escaping @MainActor (Argument) -> Void) { self.body = body }
}

extension Instance {
  /// Calls back at each emission of a signal that has no arguments.
  @MainActor
  func on(_ signal: String, _ body: @escaping @MainActor () -> Void) {
    let callback: @convention(c) (gpointer?, gpointer?) -> Void = { _, data in
      object(data, as: Handler<Void>.self).body(())
    }
    connect(signal, unsafeBitCast(callback, to: GCallback.self), Handler<Void> { body() })
  }

  /// Calls back at each emission of a signal with an object as its argument.
  @MainActor
  func on(_ signal: String, _ body: @escaping @MainActor (OpaquePointer) -> Void) {
    let callback: @convention(c) (gpointer?, OpaquePointer, gpointer?) -> Void = {
      object($2, as: Handler<OpaquePointer>.self).body($1)
    }
    connect(signal, unsafeBitCast(callback, to: GCallback.self), Handler(body))
  }

  /// Calls back at each emission of a signal with a position as its argument.
  @MainActor
  func on(_ signal: String, position body: @escaping @MainActor (Int) -> Void) {
    let callback: @convention(c) (gpointer?, guint, gpointer?) -> Void = {
      object($2, as: Handler<Int>.self).body(Int($1))
    }
    connect(signal, unsafeBitCast(callback, to: GCallback.self), Handler(body))
  }

  private func connect(_ signal: String, _ callback: GCallback, _ handler: some AnyObject) {
    g_signal_connect_data(
      raw, signal, callback, userData(handler), { data, _ in releaseUserData(data) },
      GConnectFlags(rawValue: 0))
  }
}
