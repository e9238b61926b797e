import CGtk

typealias Widget = UnsafeMutablePointer<GtkWidget>

/// A pointer to an instance of a GObject class.
///
/// Swift imports classes with public structs as typed pointers, all others as opaque ones, and no
/// cast macros.
protocol Instance {
  var raw: UnsafeMutableRawPointer { get }
}

extension OpaquePointer: Instance {
  var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
}

extension UnsafeMutablePointer: Instance {
  var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
}

extension UnsafeMutableRawPointer: Instance {
  var raw: UnsafeMutableRawPointer { self }
}

extension Instance {
  var opaque: OpaquePointer { OpaquePointer(raw) }
  var widget: Widget { cast(to: GtkWidget.self) }

  func cast<Class>(to type: Class.Type) -> UnsafeMutablePointer<Class> {
    raw.assumingMemoryBound(to: type)
  }
}

/// Keeps a Swift object for a C library as its user data.
///
/// The library calls `releaseUserData` when it no longer needs the object.
func userData(_ object: some AnyObject) -> UnsafeMutableRawPointer {
  Unmanaged.passRetained(object).toOpaque()
}

func object<Object: AnyObject>(_ data: gpointer?, as type: Object.Type) -> Object {
  guard let data else { preconditionFailure("User data is missing.") }
  return Unmanaged<Object>.fromOpaque(data).takeUnretainedValue()
}

func releaseUserData(_ data: gpointer?) {
  guard let data else { return }
  Unmanaged<AnyObject>.fromOpaque(data).release()
}

/// A strong reference to a GObject.
final class Reference {
  let pointer: OpaquePointer

  /// Shares an object, a floating one too.
  init(to instance: some Instance) {
    pointer = OpaquePointer(g_object_ref_sink(instance.raw))
  }

  deinit { g_object_unref(pointer.raw) }
}
