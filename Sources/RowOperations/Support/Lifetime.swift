/// Releases an object of the app's here, and not where it is used last.
///
/// Its `deinit` may call the tracker, so it must not run while the books are being changed. Without
/// this the optimiser may release what a call hands over before the call has ended.
@inlinable
func releaseHere<Object>(_ object: Object) { withExtendedLifetime(object) {} }
