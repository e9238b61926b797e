#if canImport(UIKit) && !os(watchOS)
  import RowOperations
  import UIKit

  //@ import RowOperations

  private struct Photo: Identifiable {
    let id: Int
  }

  private final class PhotoCell: UITableViewCell {
    func show(_ title: String?) { textLabel?.text = title }
    func fade() { layer.add(CATransition(), forKey: nil) }
  }

  @MainActor
  private final class SpinnerList {
    let photos: [Photo] = []
    let tracker = DisplayTracker<Photo.ID, String> { "\($0.row)" }

    //@ func configure(_ cell: PhotoCell, at path: IndexPath) {
  }

  private struct Post {
    let avatar: URL
    let pictures: [URL]
  }

  private final class PostCell: UITableViewCell {
    let avatar = UIImageView()
    let pictures: [UIImageView] = []
  }

  @MainActor
  private final class PostList {
    let posts: [Post] = []
    let tableView = UITableView()
    let pictures = DisplayTracker<URL, UIImage> { _ in UIImage() }

    //@ func configure(_ cell: PostCell, for post: Post) {
  }

  @MainActor
  private func fade(_ cell: PhotoCell, _ photo: Photo, _ tracker: DisplayTracker<Int, String>) {
    //@ tracker.bind(cell, to: photo.id) { cell, phase, moment in
  }

  @MainActor
  private func traits(_ tracking: ListTracking) {
    //@ tracking.valueTraits = [.colors, .textSize]
  }

  #if canImport(_Concurrency, _version: 5.9)
    @available(iOS 17, tvOS 17, *)
    private final class TraitsViewController: UITableViewController {
      let tracker = DisplayTracker<Int, String> { "\($0.row)" }

      //@ override func viewDidLoad() {
    }
  #endif

  @MainActor
  private func record(_ tracking: ListTracking) {
    //@ tracking.recordEvents { line in print(line) }
  }
#endif

#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  import AppKit
  import RowOperations
#elseif !canImport(UIKit)
  import Foundation
  import RowOperations

  // What the block names of AppKit, so that it is compiled where there is none.
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
