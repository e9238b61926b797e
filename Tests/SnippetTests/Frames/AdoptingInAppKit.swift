#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  import AppKit
  import RowOperations
#elseif !canImport(UIKit)
  import Foundation
  import RowOperations

  // The names of AppKit in the block, so that it is compiled on other systems too.
  private struct DecodedPicture: Sendable {
    let image = NSImage()
  }
  private struct NSImage: Sendable {}
  @MainActor private class NSView {}
  @MainActor private final class NSImageView: NSView {
    var image: NSImage?
  }
  @MainActor private final class NSTableCellView: NSView {
    let imageView: NSImageView? = NSImageView()
  }
  @MainActor private final class NSTableColumn {}
  private struct Identifier {
    init(_ name: String) {}
  }
  @MainActor private final class NSTableView: NSView {
    func makeView(withIdentifier identifier: Identifier, owner: Any?) -> NSView? { nil }
  }
#endif

#if (canImport(AppKit) && !targetEnvironment(macCatalyst)) || !canImport(UIKit)
  @MainActor
  private final class PhotosDelegate: NSObject {
    let ids = Array(0..<100)
    let tracker = DisplayTracker<Int, DecodedPicture>(operation: { _ in nil })

    //@ func tableView(_ table: NSTableView, viewFor column: NSTableColumn?, row: Int) -> NSView? {
  }
#endif
