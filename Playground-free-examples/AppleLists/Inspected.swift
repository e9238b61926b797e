#if canImport(SwiftUI)
  import RowInspector
  import RowOperations
  import SwiftUI

  /// A list with the inspector over it, for debug builds.
  @MainActor
  struct InspectedTitles: View {
    let titles: [Int]
    let tracker: DisplayTracker<Int, String>

    var body: some View {
      List(titles, id: \.self) { title in
        TrackedRow(title, tracker) { Text($0.value ?? "…") }
      }
      .trackedRows(titles, tracker)
      .rowInspector(tracker)
    }
  }

  #if canImport(UIKit) && !os(watchOS)
    import UIKit

    extension UIViewController {
      /// Lays the inspector over the controller's list, for debug builds.
      func showInspector<Row, Value>(of tracker: DisplayTracker<Row, Value>) {
        let inspector = UIHostingController(rootView: InspectorOverlay(tracker))
        inspector.sizingOptions = .intrinsicContentSize
        inspector.view.backgroundColor = .clear
        inspector.view.translatesAutoresizingMaskIntoConstraints = false
        addChild(inspector)
        view.addSubview(inspector.view)
        let area = view.safeAreaLayoutGuide
        NSLayoutConstraint.activate([
          inspector.view.trailingAnchor.constraint(equalTo: area.trailingAnchor),
          inspector.view.bottomAnchor.constraint(equalTo: area.bottomAnchor),
        ])
        inspector.didMove(toParent: self)
      }
    }
  #endif
#endif
