import RowInspector
import RowOperations

/// A finished run.
struct Run {
  let name: String
  let figures: Figures
  let timeline: Timeline<Int>
}
