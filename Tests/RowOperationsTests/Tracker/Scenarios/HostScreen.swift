import RowOperationsTesting

@testable import RowOperations

extension HostTests {
  /// The renders of a test's views, by their numbers.
  @MainActor
  final class Screen {
    private var phases: [Int: [RowPhase<TrackerRig.Loaded>]] = [:]

    func render(_ view: SimulatedCell, _ phase: RowPhase<TrackerRig.Loaded>) {
      phases[view.number, default: []].append(phase)
    }

    func kinds(of view: SimulatedCell) -> [LoadPhase] { (phases[view.number] ?? []).map(\.kind) }

    /// The rows of the values that the view has shown, in order.
    func values(of view: SimulatedCell) -> [Int] {
      (phases[view.number] ?? []).compactMap { $0.value?.row }
    }

    func idles(of view: SimulatedCell) -> Int { kinds(of: view).count { $0 == .idle } }
  }
}
