import Foundation

extension Comparison {
  /// The cost of longer lists, and the results of loaders in the worlds, as plots.
  static func sheet(_ effort: Effort) async -> PlotSheet {
    var sheet = PlotSheet()
    let lengths = await listLengths(effort)
    sheet.addHeading(
      "A row that scrolls past, among more and more rows whose values are kept",
      names: ["a row that is not kept", "a row that is kept"])
    sheet.addRow([
      Plot(
        title: "ns on the main thread, by rows kept", positions: lengths.map { String($0.count) },
        lines: [
          PlotLine(name: "not kept", values: lengths.map(\.unknown)),
          PlotLine(name: "kept", values: lengths.map(\.kept)),
        ])
    ])
    add(WorldTable(effort, World.Setting.all[0], sessions: 12), to: &sheet)
    return sheet
  }

  private static func add(_ table: WorldTable, to sheet: inout PlotSheet) {
    let measures: [(title: String, value: (WorldTrial.Outcome) -> Double)] = [
      ("Time without a picture", { max($0.blank, 17) }),
      ("Loads started", { Double(max($0.started, 1)) }),
    ]
    sheet.addHeading(
      "In 33 lists, by way of loading: percent of what the plain recipe takes", names: [])
    sheet.addText(
      "Green is less than the plain recipe, red is more. Every cell is one list in virtual time.")
    sheet.addMaps(
      measures.map { measure in
        let recipe = table.lines.filter { $0.loader == Loader.recipe.name }
        let columns = Loader.all.map(\.name).filter { $0 != Loader.recipe.name }
        return HeatMap(
          title: measure.title, rows: recipe.map(\.world.name), columns: columns,
          values: recipe.map { base in
            columns.map { name in
              table.lines.first { $0.world == base.world && $0.loader == name }
                .map { measure.value($0.outcome) / measure.value(base.outcome) } ?? .nan
            }
          })
      })
  }
}
