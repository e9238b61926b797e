import Foundation

/// The seeds of the random lists.
enum ListSeeds {
  /// `LISTS=500` draws more lists of each kind, and `LISTS=17..18` plays one of them again.
  static var range: Range<UInt64> {
    let ends = (ProcessInfo.processInfo.environment["LISTS"] ?? "300").split(separator: ".")
      .compactMap { UInt64($0) }
    return ends.count == 2 ? ends[0]..<ends[1] : 0..<(ends.first ?? 300)
  }
}
