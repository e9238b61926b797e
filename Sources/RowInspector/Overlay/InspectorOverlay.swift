#if canImport(SwiftUI)
  import RowOperations
  import SwiftUI

  extension View {
    /// Shows the work of a tracker over the list, in a line that opens into a report.
    ///
    /// ```swift
    /// List(photos) { photo in TrackedRow(photo.id, tracker) { Text($0.value ?? "…") } }
    ///   .trackedRows(photos.map(\.id), tracker)
    ///   #if DEBUG
    ///     .rowInspector(tracker)
    ///   #endif
    /// ```
    ///
    /// It has its own ``ListInspector``. For debug builds.
    @MainActor
    public func rowInspector<Row: Hashable & Sendable, Value: Sendable>(
      _ tracker: DisplayTracker<Row, Value>
    ) -> some View {
      overlay(alignment: .bottomTrailing) {
        InspectorOverlay(tracker).id(ObjectIdentifier(tracker))
      }
    }
  }

  /// The live report that `rowInspector(_:)` lays over a list.
  @MainActor
  public struct InspectorOverlay<Row: Hashable & Sendable, Value: Sendable>: View {
    private let tracker: DisplayTracker<Row, Value>
    @StateObject private var watch = InspectorWatch<Row, Value>()
    @State private var isOpen = false

    /// Makes an overlay of a tracker.
    public init(_ tracker: DisplayTracker<Row, Value>) { self.tracker = tracker }

    /// The line, and above it the panel if it is open.
    public var body: some View {
      VStack(alignment: .trailing, spacing: 6) {
        if isOpen { InspectorPanel(report: watch.report) }
        Button {
          isOpen.toggle()
        } label: {
          Text(watch.report.summary)
            .padding(8)
            .background(Capsule().fill(badgeColor.opacity(0.9)))
            .foregroundColor(.white)
        }
        .buttonStyle(.plain)
      }
      .font(.caption.monospacedDigit())
      .padding(8)
      .onAppear { watch.start(tracker) }
      .onDisappear { watch.stop() }
    }

    private var badgeColor: Color { watch.report.findings.isEmpty ? .gray : .orange }
  }

  @MainActor
  private final class InspectorWatch<Row: Hashable & Sendable, Value: Sendable>: ObservableObject {
    @Published private(set) var report = InspectorReport()
    private var inspector: ListInspector<Row, Value>?

    func start(_ tracker: DisplayTracker<Row, Value>) {
      guard inspector == nil else { return }
      let inspector = ListInspector(tracker)
      self.inspector = inspector
      report = inspector.report()
      inspector.onChange = { [weak self] report in
        guard let self, self.report != report else { return }
        self.report = report
      }
    }

    func stop() {
      inspector?.stop()
      inspector = nil
    }
  }

  private struct InspectorPanel: View {
    let report: InspectorReport

    var body: some View {
      ScrollView {
        VStack(alignment: .leading, spacing: 4) {
          ForEach(Array(report.findings.enumerated()), id: \.offset) { _, finding in
            Text(finding.sentence).bold()
            Text(finding.advice).foregroundColor(.secondary)
          }
          ForEach(Array(report.bodies.enumerated()), id: \.offset) { _, body in
            Text(body.description).foregroundColor(body.isCancelled ? .red : .blue)
          }
          ForEach(Array(report.rows.enumerated()), id: \.offset) { _, row in
            Label {
              Text(row.reason ?? "\(row.name): \(row.state.rawValue)")
            } icon: {
              Circle().fill(row.state.color).frame(width: 8, height: 8)
            }
          }
          ForEach(report.figures, id: \.name) { figure in
            Text("\(figure.name): \(figure.value)").foregroundColor(.secondary)
          }
        }
        .frame(maxWidth: .infinity, alignment: .leading)
        .padding(8)
      }
      .frame(maxWidth: 360, maxHeight: 280)
      .background(RoundedRectangle(cornerRadius: 8).fill(.background))
      .overlay(RoundedRectangle(cornerRadius: 8).stroke(Color.gray))
    }
  }

  extension InspectorReport.Row.State {
    fileprivate var color: Color {
      switch self {
      case .idle: .gray
      case .waiting: .yellow
      case .loading: .blue
      case .loaded: .green
      case .failed: .red
      }
    }
  }
#endif
