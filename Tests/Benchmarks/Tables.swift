/// Lines of cells as text: names on the left of their columns, numbers on the right.
///
/// - Parameters:
///   - lines: The head and the other lines, all of one length.
///   - names: How many of the first columns are names.
func alignedTable(of lines: [[String]], namesIn names: Int = 1) -> String {
  let widths = lines[0].indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
  return lines.map { line in
    line.indices.map { column in
      let gap = String(repeating: " ", count: widths[column] - line[column].count)
      return column < names ? line[column] + gap : gap + line[column]
    }.joined(separator: "  ")
  }.joined(separator: "\n")
}
