import Foundation

/// How many bytes there were, and their hash, which is good within one run of the command.
struct Fingerprint: Hashable, Sendable {
  let byteCount: Int
  let digest: Int

  /// Takes bytes in pieces; where one ends and the next one begins makes no difference.
  struct Maker {
    private(set) var byteCount = 0
    private var hasher = Hasher()

    mutating func add(_ bytes: Data) {
      bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
      byteCount += bytes.count
    }

    var fingerprint: Fingerprint {
      Fingerprint(byteCount: byteCount, digest: hasher.finalize())
    }
  }

  private init(byteCount: Int, digest: Int) {
    self.byteCount = byteCount
    self.digest = digest
  }

  init(_ bytes: Data) {
    var maker = Maker()
    maker.add(bytes)
    self = maker.fingerprint
  }
}
