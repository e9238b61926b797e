#if canImport(UIKit)
  import RowOperations
  import SwiftUI
  import UIKit

  /// A list that is a view controller, with its sample data.
  @MainActor
  struct ListTab: Identifiable {
    let title: String
    let symbol: String
    let make: @MainActor () -> UIViewController

    nonisolated var id: String { title }

    static let all: [ListTab] = [
      ListTab(title: "Gallery", symbol: "square.grid.3x3") {
        let layout = UICollectionViewFlowLayout()
        layout.itemSize = CGSize(width: 110, height: 110)
        let gallery = GalleryViewController(collectionViewLayout: layout)
        gallery.show(Samples.albums)
        return gallery
      },
      ListTab(title: "Posts", symbol: "text.below.photo") {
        let posts = PostsViewController()
        posts.posts = Samples.posts
        return posts
      },
      ListTab(title: "Chat", symbol: "bubble.left.and.bubble.right") { ChatTab() },
      ListTab(title: "Shelves", symbol: "books.vertical") {
        let shelves = ShelvesViewController()
        shelves.shelves = Samples.shelves
        return shelves
      },
      ListTab(title: "Infinite feed", symbol: "infinity") { InfiniteFeedViewController() },
      ListTab(title: "Picture library", symbol: "externaldrive") {
        PictureLibraryFeedViewController(Samples.pictures, from: SampleLibrary())
      },
    ]
  }

  /// A view controller in a tab.
  struct Hosted: UIViewControllerRepresentable {
    let tab: ListTab

    func makeUIViewController(context: Context) -> UIViewController { tab.make() }

    func updateUIViewController(_ controller: UIViewController, context: Context) {}
  }

  /// A chat in which a message comes in each second, until all are there.
  private final class ChatTab: UIViewController {
    private let chat = ChatViewController()
    private var messages = Samples.messages[...]

    override func viewDidLoad() {
      super.viewDidLoad()
      addChild(chat)
      chat.view.frame = view.bounds
      chat.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
      view.addSubview(chat.view)
      chat.didMove(toParent: self)
      Task { [weak self] in
        while let self, let message = messages.popFirst() {
          chat.receive(message)
          try await Task.sleep(for: .seconds(1))
        }
      }
    }
  }

  /// A picture library in a few lines, in the place of Nuke, Kingfisher or SDWebImage.
  private struct SampleLibrary: PictureLibrary {
    private let memory = Memory()

    func pictureInMemory(for url: URL) -> UIImage? { memory.cache.object(forKey: url as NSURL) }

    func picture(for url: URL) async throws -> UIImage {
      let data = try await URLSession.shared.fetch(url)
      guard let image = await UIImage(data: data)?.byPreparingForDisplay() else {
        throw URLError(.cannotDecodeContentData)
      }
      memory.cache.setObject(image, forKey: url as NSURL)
      return image
    }

    // Sendable: `NSCache` may be used on any thread.
    private struct Memory: @unchecked Sendable {
      let cache = NSCache<NSURL, UIImage>()
    }
  }
#endif
