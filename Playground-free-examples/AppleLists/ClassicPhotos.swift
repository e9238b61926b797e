#if canImport(UIKit) && !os(watchOS)
  import CoreImage
  import RowOperations
  import UIKit

  struct PhotoRecord: Hashable, Sendable, Identifiable {
    let id: Int
    let name: String
    let url: URL
  }

  /// The recipe of the well-known tutorials: photos that are downloaded and then filtered, with
  /// operations in dictionaries by index path, and queues that pause while the table scrolls.
  ///
  /// Copies of it go wrong in four ways. None of them can be written here.
  ///
  /// **The inverted check.** An operation begins like this:
  /// ```
  /// override func main() {
  ///   if !isCancelled { return }
  /// ```
  /// Rows on screen stay blank, and rows that have left are downloaded. Each stage of an update
  /// checks by itself, before and after its work.
  ///
  /// **The suspended global queue.** Scrolling should pause the work:
  /// ```
  /// func scrollViewWillBeginDragging(_ view: UIScrollView) { DispatchQueue.global().suspend() }
  /// func scrollViewDidEndDecelerating(_ view: UIScrollView) { DispatchQueue.global().resume() }
  /// ```
  /// Global queues cannot be suspended: both calls do nothing. A queue of the app's own does stop,
  /// and stays stopped when a finger catches the list, since `scrollViewDidEndDecelerating` does
  /// not come then. Here the scroll policy holds rows back one by one, and a quiet list counts as
  /// settled.
  ///
  /// **The dangling pointer.** The operation keeps the way to where its photo belongs:
  /// ```
  /// unowned(unsafe) let cell: UITableViewCell
  /// let record: UnsafeMutablePointer<PhotoRecord>  // from `&photos[path.row]`
  /// ```
  /// The cell goes with its table view, and the array moves when it grows. The operation then
  /// writes to freed memory. A tracker holds cells weakly and hands the cell over, and values go to
  /// rows by their ids.
  ///
  /// **The copied dictionary.** The operation takes itself off the list when it has finished:
  /// ```
  /// var downloads = pending.downloadsInProgress
  /// downloader.completionBlock = { downloads.removeValue(forKey: path) }
  /// ```
  /// A dictionary is a value. The copy forgets the download, and the original keeps it: the row
  /// counts as in progress for ever, and is never loaded again. Here the app has no such
  /// dictionary.
  final class ClassicPhotosViewController: UITableViewController {
    var records: [PhotoRecord] = []
    private let tracker = DisplayTracker<PhotoRecord, UIImage> { context in
      let data = try await context.fetch(context.row.url)
      return try await context.stage("sepia") { try sepia(data) }
    }

    override func viewDidLoad() {
      super.viewDidLoad()
      tableView.register(UITableViewCell.self, forCellReuseIdentifier: "photo")
      ListTracking(tableView, tracker, ids: { [weak self] in self?.records ?? [] })
    }

    override func tableView(_ table: UITableView, numberOfRowsInSection section: Int) -> Int {
      records.count
    }

    override func tableView(
      _ table: UITableView, cellForRowAt path: IndexPath
    ) -> UITableViewCell {
      let cell = table.dequeueReusableCell(withIdentifier: "photo", for: path)
      let record = records[path.row]
      tracker.bind(cell, to: record) { cell, phase in
        var content = UIListContentConfiguration.cell()
        content.text = phase.error == nil ? record.name : "\(record.name) could not be loaded"
        content.image = phase.value ?? UIImage(systemName: "photo")
        cell.contentConfiguration = content
      }
      return cell
    }
  }

  /// One context for all photos: each one made anew costs more than a filter.
  private struct Darkroom: @unchecked Sendable {
    // Sendable: a context may be used on any thread.
    let context = CIContext()
  }

  private let darkroom = Darkroom()

  private func sepia(_ data: Data) throws -> UIImage {
    guard let photo = CIImage(data: data) else { throw URLError(.cannotDecodeContentData) }
    let toned = photo.applyingFilter("CISepiaTone", parameters: [kCIInputIntensityKey: 0.8])
    guard let image = darkroom.context.createCGImage(toned, from: toned.extent) else {
      throw URLError(.cannotDecodeContentData)
    }
    return UIImage(cgImage: image)
  }
#endif
