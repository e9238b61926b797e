#if canImport(Testing)
  import Testing

  #if canImport(UIKit) && !os(watchOS)
    import UIKit

    /// In RowsApp: a list without an app's scene has no layout.
    @Suite("Real lists in a window", .serialized, .timeLimit(.minutes(5)))
    @MainActor
    struct RealListTests {
      @Test("The tests run in an app with a scene")
      func scene() {
        #expect(UIWindow.trial().windowScene != nil)
      }

      @Test("A table view's visible rows are the tracker's displayed rows, after each change")
      func table() async {
        let violations = await TableTrial().run()
        #expect(violations == [])
      }

      @Test("A collection view's items and headers are displayed while they are visible")
      func collection() async {
        let violations = await CollectionTrial().run()
        #expect(violations == [])
      }

      @Test("Labels in headers are displayed while they are visible, and hidden lists are covered")
      func headers() async {
        let violations = await HeaderTrial().run()
        #expect(violations == [])
      }

      @Test("The views of a plain scroll view are displayed while they are visible")
      func scroll() {
        #expect(ScrollTrial().run() == [])
      }
    }
  #elseif canImport(AppKit)
    @Suite("Real lists in a window", .serialized, .timeLimit(.minutes(5)))
    @MainActor
    struct RealListTests {
      @Test("A table view's visible rows are the tracker's displayed rows, after each change")
      func table() async {
        let violations = await MacTableTrial().run()
        #expect(violations == [])
      }

      @Test("A collection view's visible items are the tracker's displayed rows")
      func collection() async {
        let violations = await MacCollectionTrial().run()
        #expect(violations == [])
      }
    }
  #endif
#endif
