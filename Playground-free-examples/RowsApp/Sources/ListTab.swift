#if canImport(UIKit)
  import SwiftUI
  import UIKit

  /// A list that is a view controller, with its sample data.
  @MainActor
  struct ListTab: Identifiable {
    let title: String
    let symbol: String
    let make: @MainActor () -> UIViewController

    nonisolated var id: String { title }

    #if os(tvOS)
      static let all = everywhere
    #else
      static let all = touched + everywhere

      /// Lists with controls that tvOS lacks.
      private static let touched: [ListTab] = [
        ListTab(title: "Thumbnails", symbol: "photo.on.rectangle") { ThumbnailsViewController() },
        ListTab(title: "Gallery", symbol: "square.grid.3x3") {
          let gallery = GalleryViewController(collectionViewLayout: .grid(side: 110))
          gallery.show(Samples.albums)
          return gallery
        },
      ]
    #endif

    private static let everywhere: [ListTab] = [
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
      ListTab(title: "Contacts", symbol: "person.2") {
        let contacts = ContactsViewController()
        contacts.contacts = Samples.contacts
        return contacts
      },
      ListTab(title: "Infinite feed", symbol: "infinity") { InfiniteFeedViewController() },
      ListTab(title: "Picture library", symbol: "externaldrive") {
        PictureLibraryFeedViewController(Samples.pictures, from: SampleLibrary())
      },
      ListTab(title: "Top paid apps", symbol: "app.gift") {
        let apps = TopPaidAppsViewController()
        apps.records = Samples.apps
        return apps
      },
      ListTab(title: "Classic photos", symbol: "camera.filters") {
        let photos = ClassicPhotosViewController()
        photos.records = Samples.photos
        return photos
      },
      ListTab(title: "Colours", symbol: "paintpalette") {
        ColorsViewController(collectionViewLayout: .grid(side: 60))
      },
      ListTab(title: "Prices", symbol: "eurosign.circle") {
        let prices = PricesViewController()
        prices.articles = Samples.articles
        return prices
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

  extension UICollectionViewLayout {
    /// Square items of one size.
    fileprivate static func grid(side: CGFloat) -> UICollectionViewLayout {
      let layout = UICollectionViewFlowLayout()
      layout.itemSize = CGSize(width: side, height: side)
      layout.minimumInteritemSpacing = 2
      layout.minimumLineSpacing = 2
      return layout
    }
  }
#endif
