/// Releases an object of the app here, instead of after its last use.
///
/// Its `deinit` may call the tracker, so it must not run during a change of the state. Else the
/// optimiser may release an argument before the end of a call.
@inlinable
func releaseHere<Object>(_ object: Object) { withExtendedLifetime(object) {} }
