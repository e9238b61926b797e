#if canImport(UIKit)
  import RowOperations
  import SwiftUI
  import UIKit

  /// A list that records how it behaves on this device, and a button that shares the text.
  ///
  /// Scroll, fling, pull and rotate; then share. The text has no content of the rows. Tests of the
  /// package play it, with the version of the system as its label.
  @MainActor
  struct TraceTab: View {
    @StateObject private var trace = Trace()

    var body: some View {
      NavigationStack {
        TracedList(trace: trace)
          .ignoresSafeArea()
          .navigationTitle("Trace")
          .toolbar {
            #if os(tvOS)
              Text("\(trace.count) lines")
            #else
              ShareLink("Share \(trace.count) lines", item: trace.text)
            #endif
          }
      }
    }
  }

  /// The lines of a trace.
  @MainActor
  private final class Trace: ObservableObject {
    private var lines: [String] = []
    @Published private(set) var count = 0

    var text: String { lines.joined(separator: "\n") }

    func append(_ line: String) {
      lines.append(line)
      // Once a second is enough for the button.
      if count == 0 { refreshSoon() }
    }

    private func refreshSoon() {
      count = lines.count
      Task { [weak self] in
        while let self {
          if count != lines.count { count = lines.count }
          try await Task.sleep(nanoseconds: 1_000_000_000)
        }
      }
    }
  }

  private struct TracedList: UIViewControllerRepresentable {
    let trace: Trace

    func makeUIViewController(context: Context) -> UIViewController {
      TracedListController(trace)
    }

    func updateUIViewController(_ controller: UIViewController, context: Context) {}
  }

  /// A table whose first rows go and come, so that the trace has batch updates.
  private final class TracedListController: UITableViewController {
    private var ids = Array(0..<2_000)
    private let tracker = DisplayTracker<Int, String> { context in
      try await Task.sleep(nanoseconds: 100_000_000)
      return "Row \(context.row)"
    }
    private let trace: Trace

    init(_ trace: Trace) {
      self.trace = trace
      super.init(style: .plain)
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
      super.viewDidLoad()
      tableView.register(UITableViewCell.self, forCellReuseIdentifier: "row")
      let tracking = ListTracking(tableView, tracker, ids: { [weak self] in self?.ids ?? [] })
      tracking.recordTrace { [weak trace] line in trace?.append(line) }
    }

    override func tableView(_ table: UITableView, numberOfRowsInSection section: Int) -> Int {
      ids.count
    }

    override func tableView(
      _ table: UITableView, cellForRowAt path: IndexPath
    ) -> UITableViewCell {
      let cell = table.dequeueReusableCell(withIdentifier: "row", for: path)
      tracker.bind(cell, to: ids[path.row]) { $0.textLabel?.text = $1.value ?? "…" }
      return cell
    }

    /// A tap on a row deletes it and the next two.
    override func tableView(_ table: UITableView, didSelectRowAt path: IndexPath) {
      let gone = path.row..<min(path.row + 3, ids.count)
      ids.removeSubrange(gone)
      table.deleteRows(at: gone.map { IndexPath(row: $0, section: 0) }, with: .automatic)
    }
  }
#endif
