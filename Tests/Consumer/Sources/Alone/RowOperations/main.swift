import RowOperations

final class Cell {
  var text = ""
}

let tracker = DisplayTracker<Int, String> { "Row \($0.row)" }
let cell = Cell()
tracker.bind(cell, to: 1) { $0.text = $1.value ?? "…" }
tracker.willDisplay(cell)
await tracker.waitUntilIdle()
print(cell.text)
