/// Releases an object of the app here, instead of after its last use.
///
/// Its `deinit` may call the tracker, so it must not run during a change. The optimiser may release
/// earlier.
func releaseHere<Object>(_ object: Object) { withExtendedLifetime(object) {} }
