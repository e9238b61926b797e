import Foundation

extension Comparison {
  /// The results of loaders in the worlds, as maps.
  ///
  /// Times are left out, as they would show the noise of the machine.
  static func sheet(_ effort: Effort) -> PlotSheet {
    var sheet = PlotSheet()
    add(WorldTable(effort, World.Setting.all[0], sessions: 12), to: &sheet)
    return sheet
  }

  private static func add(_ table: WorldTable, to sheet: inout PlotSheet) {
    let measures: [(title: String, value: (WorldTrial.Outcome) -> Double)] = [
      ("Blank time", { max($0.blank, 17) }),
      ("Loads started", { Double(max($0.started, 1)) }),
    ]
    sheet.addHeading(
      "In 33 lists, by way of loading: percent of what the plain recipe takes")
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
