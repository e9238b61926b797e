import Foundation

#if canImport(CoreGraphics)
  import CoreGraphics
#endif
#if canImport(UIKit)
  import UIKit
#elseif canImport(AppKit)
  import AppKit
#endif

/// A value with a known cost in memory.
///
/// A tracker keeps such values by cost, see ``Retention/automatic``. `Data` and the pictures of
/// UIKit, AppKit and Core Graphics conform, and optional values of these. Conform your own types:
///
/// ```swift
/// extension Poster: MemoryCosting {
///   var memoryCost: Int { picture.memoryCost }
/// }
/// ```
public protocol MemoryCosting {
  /// The approximate size in bytes.
  ///
  /// Called once for each value, on the main actor.
  var memoryCost: Int { get }
}

extension Data: MemoryCosting {
  /// The number of bytes.
  public var memoryCost: Int { count }
}

extension Optional: MemoryCosting where Wrapped: MemoryCosting {
  /// The cost of the value, if any.
  public var memoryCost: Int { self?.memoryCost ?? 0 }
}

#if canImport(CoreGraphics)
  extension CGImage: MemoryCosting {
    /// The bytes of the decoded picture.
    public var memoryCost: Int { bytesPerRow * height }
  }
#endif

#if canImport(UIKit)
  extension UIImage: MemoryCosting {
    /// The bytes of the decoded picture, with all its frames.
    public var memoryCost: Int {
      if let images { return images.reduce(0) { $0 + $1.memoryCost } }
      if let cgImage { return cgImage.memoryCost }
      return .bytes(ofPixels: size.width * scale, by: size.height * scale)
    }
  }
#elseif canImport(AppKit)
  extension NSImage: MemoryCosting {
    /// The bytes of its largest representation, decoded; of a drawing, those of its size.
    public var memoryCost: Int {
      let sizes = representations.map { (Double($0.pixelsWide), Double($0.pixelsHigh)) }
      let largest = sizes.map { Int.bytes(ofPixels: $0.0, by: $0.1) }.max() ?? 0
      return largest > 0 ? largest : .bytes(ofPixels: size.width, by: size.height)
    }
  }
#endif

extension Retention {
  /// The default: keeps ``MemoryCosting`` values by cost, and 200 of any others.
  ///
  /// A value counts as 256 bytes at least. The limit for all values of a tracker is a sixteenth of
  /// the machine's memory, from 32 to 512 MB. In the background, the tracker drops the values off
  /// screen that it keeps by cost.
  public static var automatic: Retention {
    guard Value.self is any MemoryCosting.Type else { return .count(200) }
    let budget = MemoryBudget(physicalMemory: ProcessInfo.processInfo.physicalMemory)
    return .cost(limit: budget.bytes) { value in
      // A value of no bytes still takes an entry.
      max((value as? any MemoryCosting)?.memoryCost ?? 0, 256)
    }
  }
}

/// The share of memory for the values of one tracker.
struct MemoryBudget {
  let bytes: Int

  init(physicalMemory: UInt64) {
    bytes = min(max(Int(clamping: physicalMemory / 16), 32 << 20), 512 << 20)
  }
}

extension Int {
  /// Four bytes for each pixel.
  ///
  /// An infinite size has the highest cost.
  static func bytes(ofPixels width: Double, by height: Double) -> Int {
    let bytes = width * height * 4
    return bytes < Double(highestCost) ? Int(Swift.max(bytes, 0)) : highestCost
  }
}
