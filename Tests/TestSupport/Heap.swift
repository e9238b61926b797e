import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The memory that this process has allocated.
package enum Heap {
  /// Whether `bytesInUse` is known: a sanitizer allocates by itself.
  package static let isMeasured = {
    let before = bytesInUse
    let data = Data(count: 1 << 20)
    return withExtendedLifetime(data) { bytesInUse - before >= data.count }
  }()

  /// Stops Swift Testing from keeping a backtrace for each error that this process throws.
  ///
  /// Its backtraces take about 150 bytes each, and stay until the test ends. The runtime calls what
  /// these two variables point to before each `throw`.
  package static func keepNoBacktraces() {
    let process = dlopen(nil, RTLD_NOW)
    for name in ["_swift_willThrow", "_swift_willThrowTypedImpl"] {
      dlsym(process, name)?.assumingMemoryBound(to: UnsafeRawPointer?.self).pointee = nil
    }
  }

  #if canImport(Glibc)
    /// Bytes that are allocated and not freed.
    package static var bytesInUse: Int {
      let info = malloc_info()
      func size(_ tag: String) -> Int {
        // The last element of each tag is the total of all arenas.
        guard let start = info.range(of: tag, options: .backwards),
          let size = info.range(of: "size=\"", range: start.upperBound..<info.endIndex)
        else { return 0 }
        return Int(info[size.upperBound...].prefix { $0.isNumber }) ?? 0
      }
      return size("system type=\"current\"") + size("total type=\"mmap\"")
        - size("total type=\"fast\"") - size("total type=\"rest\"")
    }

    /// The C library's own report, which is missing in Swift's module of that library.
    private static func malloc_info() -> String {
      typealias Report = @convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32
      var text: UnsafeMutablePointer<CChar>?
      var length = 0
      guard let symbol = dlsym(nil, "malloc_info"), let stream = open_memstream(&text, &length)
      else { return "" }
      _ = unsafeBitCast(symbol, to: Report.self)(0, stream)
      fclose(stream)
      defer { free(text) }
      return text.map { String(cString: $0) } ?? ""
    }
  #elseif canImport(Darwin)
    /// Bytes that are allocated and not freed.
    package static var bytesInUse: Int {
      var statistics = malloc_statistics_t()
      malloc_zone_statistics(nil, &statistics)
      return statistics.size_in_use
    }
  #endif
}
