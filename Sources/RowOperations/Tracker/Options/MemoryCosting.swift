import Foundation

#if canImport(CoreGraphics)
  import CoreGraphics
#endif
#if canImport(UIKit)
  import UIKit
#elseif canImport(AppKit)
  import AppKit
#endif

/// A value that knows how much memory it takes.
///
/// A tracker of such values keeps them by their cost, unless its configuration says otherwise: see
/// ``Retention/automatic``. `Data` and the pictures of UIKit, AppKit and Core Graphics conform, and
/// optional values of these. Conform a type of your own that holds one:
///
/// ```swift
/// extension Poster: MemoryCosting {
///   var memoryCost: Int { picture.memoryCost }
/// }
/// ```
public protocol MemoryCosting {
  /// How many bytes the value takes, about.
  ///
  /// Called once for each value, on the main actor.
  var memoryCost: Int { get }
}

extension Data: MemoryCosting {
  /// The number of bytes.
  public var memoryCost: Int { count }
}

extension Optional: MemoryCosting where Wrapped: MemoryCosting {
  /// The cost of the value, if there is one.
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
      // Four bytes a pixel.
      return Int(size.width * scale * size.height * scale) * 4
    }
  }
#elseif canImport(AppKit)
  extension NSImage: MemoryCosting {
    /// The bytes of its largest representation, decoded, at four bytes a pixel.
    public var memoryCost: Int {
      representations.map { $0.pixelsWide * $0.pixelsHigh * 4 }.max() ?? 0
    }
  }
#endif

extension Retention {
  /// What a configuration begins with: by their cost values that know it, and 200 of all others.
  ///
  /// The values of a tracker may cost a sixteenth of the machine's memory together, from 32 to
  /// 512 MB. They are dropped when the app goes into the background, those on screen excepted.
  public static var automatic: Retention {
    guard Value.self is any MemoryCosting.Type else { return .count(200) }
    let budget = MemoryBudget(physicalMemory: ProcessInfo.processInfo.physicalMemory)
    return .cost(limit: budget.bytes) { ($0 as? any MemoryCosting)?.memoryCost ?? 0 }
  }
}

/// What the values of a tracker may take of a machine's memory.
struct MemoryBudget {
  let bytes: Int

  init(physicalMemory: UInt64) {
    bytes = min(max(Int(clamping: physicalMemory / 16), 32 << 20), 512 << 20)
  }
}
