import Foundation
import RowOperations

extension Comparison {
  /// Objects that Swift allocates for a row that scrolls past and for a loaded row.
  static func allocations(_ effort: Effort) async -> String {
    let rows = Family.rowNames(effort.size(2000))
    let (tracked, recipe, tasks) = (TrackedHost(), RecipeHost(), TaskHost())
    let passing = [
      await perPassingRow(rows, tracked) {
        await tracked.close()
      } drain: {
        await tracked.drain()
      },
      await perPassingRow(rows, recipe) {
        recipe.close()
      } drain: {
        await recipe.drain()
      },
      await perPassingRow(rows, tasks) {
      } drain: {
        await tasks.drain()
      },
    ]
    let loaded = [
      await perLoad(rows, LoadingTracker()), await perLoad(rows, LoadingRecipe()),
      await perLoad(rows, LoadingTasks()),
    ]
    let lines = zip(["tracker", "plain recipe", "plain tasks"], zip(passing, loaded)).map {
      [$0, $1.0, $1.1]
    }
    return alignedTable(
      of: [["Swift objects allocated", "a row that scrolls past", "a row that is loaded"]] + lines)
      + "\n"
  }

  private static func perPassingRow(
    _ rows: [String], _ host: some RowHost, close: @MainActor () async -> Void,
    drain: @MainActor () async -> Void
  ) async -> String {
    await close()
    let count = await SwiftObjects.allocated {
      _ = await PassingRows.pass(rows[...], through: host, until: drain)
    }
    return text(count, rows.count)
  }

  private static func perLoad(_ rows: [String], _ host: some LoadingHost) async -> String {
    let cells = rows.map { _ in Cell() }
    // The tables reach their size, and objects that are made once exist.
    await host.load(rows, in: cells)
    host.forget(rows, in: cells)
    let count = await SwiftObjects.allocated { await host.load(rows, in: cells) }
    return text(count, rows.count)
  }

  private static func text(_ count: Int?, _ rows: Int) -> String {
    count.map { String(format: "%.1f", Double($0) / Double(rows)) } ?? "not known"
  }
}

/// Shows rows and waits until all of them are loaded, by loads that take no time.
@MainActor
private protocol LoadingHost {
  func load(_ rows: [String], in cells: [Cell]) async
  func forget(_ rows: [String], in cells: [Cell])
}

@MainActor
private struct LoadingTracker: LoadingHost {
  private let tracker = DisplayTracker<String, Int> { token in token.row.utf8.count }

  func load(_ rows: [String], in cells: [Cell]) async {
    for (row, cell) in zip(rows, cells) {
      tracker.bind(cell, to: row) { cell, phase in cell.text = phase.value.map(String.init) ?? "" }
      tracker.willDisplay(cell)
    }
    await tracker.waitUntilIdle()
  }

  func forget(_ rows: [String], in cells: [Cell]) {
    for cell in cells { tracker.didEndDisplaying(cell) }
    tracker.removeAll()
    tracker.endPass()
  }
}

@MainActor
private final class LoadingRecipe: LoadingHost {
  private var cells: [String: Cell] = [:]
  private lazy var recipe = PlainRecipe<String, Int>(width: 4) {
    $0.utf8.count
  } show: { [unowned self] row, value in
    cells[row]?.text = String(value)
  }

  func load(_ rows: [String], in cells: [Cell]) async {
    for (row, cell) in zip(rows, cells) {
      self.cells[row] = cell
      recipe.willDisplay(row)
    }
    let queue = recipe.queue
    await withCheckedContinuation { continuation in
      queue.addBarrierBlock { DispatchQueue.main.async { continuation.resume() } }
    }
  }

  func forget(_ rows: [String], in cells: [Cell]) {
    for row in rows { recipe.didEndDisplaying(row) }
    self.cells = [:]
  }
}

@MainActor
private final class LoadingTasks: LoadingHost {
  private var tasks: [String: Task<Void, Never>] = [:]

  func load(_ rows: [String], in cells: [Cell]) async {
    for (row, cell) in zip(rows, cells) {
      tasks[row] = Task {
        let value = await Self.value(of: row)
        guard !Task.isCancelled else { return }
        cell.text = String(value)
      }
    }
    for row in rows { await tasks[row]?.value }
  }

  func forget(_ rows: [String], in cells: [Cell]) { tasks = [:] }

  nonisolated private static func value(of row: String) async -> Int { row.utf8.count }
}
