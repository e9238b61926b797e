import RowOperationsTesting

@testable import RowOperations
@testable import TestSupport

/// A feed whose server answers when the test says so.
@MainActor
final class PagedFeed {
  /// A page of a feed: its rows, and the cursor of the next page.
  struct Page: Sendable {
    let rows: [Int]
    let next: Int?
  }

  struct Failure: Error {}

  /// Loads on their way; the cursor is the row, 0 for the first page.
  let gate = LoadGate<Int, Page>()
  private(set) var phases: [String] = []
  let pages: Pagination
  let clock = ManualClock()
  /// No other test's.
  let network = NetworkWatch()
  private let taken = Box<[Int]>([])

  init(
    at edge: Pagination.Edge = .end,
    whenTaken: @escaping @MainActor ([Int]) -> Void = { _ in }
  ) {
    pages = Pagination(at: edge, clock: clock) { [gate] (cursor: Int?) in
      let token = RowToken(row: cursor ?? 0, generation: 1)
      return try await gate.load(UpdateContext<Int, Page>(token: token))
    } receive: { [taken] page, isFirst in
      taken.change { rows in
        if isFirst { rows = [] }
        rows = edge == .end ? rows + page.rows : page.rows + rows
      }
      whenTaken(taken.value)
      return page.next
    }
    pages.networkWatch = network
    pages.onChange = { [unowned self] in phases.append("\($0)") }
  }

  var model: [Int] { taken.value }

  /// The server answers the request for a page.
  func answer(_ cursor: Int, _ rows: [Int], next: Int?) async {
    await gate.waitForLoads([cursor])
    let ends = ends
    gate.open(cursor, with: Page(rows: rows, next: next))
    await until { self.ends > ends }
  }

  func fail(_ cursor: Int, with error: any Error = Failure()) async {
    await gate.waitForLoads([cursor])
    let ends = ends
    gate.fail(cursor, with: error)
    await until { self.ends > ends }
  }

  /// How many pages have arrived or failed.
  private var ends: Int { phases.count { $0 != "loading" } }

  var isLoading: Bool { if case .loading = pages.phase { true } else { false } }

  var isAtEnd: Bool { if case .atEnd = pages.phase { true } else { false } }

  var hasFailed: Bool { if case .failed = pages.phase { true } else { false } }
}
