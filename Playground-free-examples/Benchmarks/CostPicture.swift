import Foundation

extension Comparison {
  /// What longer lists cost, and how flings come out, as plots.
  static func sheet(_ effort: Effort) async -> PlotSheet {
    var sheet = PlotSheet()
    let lengths = await listLengths(effort)
    sheet.addHeading(
      "A row that scrolls past, among more and more rows whose values are kept",
      names: ["a row that is not kept", "a row that is kept"])
    sheet.addRow([
      Plot(
        title: "ns on the main thread, by rows kept", places: lengths.map { String($0.count) },
        lines: [
          PlotLine(name: "not kept", values: lengths.map(\.unknown)),
          PlotLine(name: "kept", values: lengths.map(\.kept)),
        ])
    ])
    add(flings(effort), velocities(effort), to: &sheet)
    return sheet
  }

  private static let measures: [(title: String, value: @Sendable (FlingTrial.Outcome) -> Double)] =
    [
      ("loads started", { Double($0.started) }),
      ("finished off screen", { Double($0.finishedOffScreen) }),
      ("blank row-seconds", { $0.blank / 1000 }),
      ("ms from rest to full", { $0.timeToFull }),
    ]

  private static func add(_ flings: [Fling], _ velocities: [Double], to sheet: inout PlotSheet) {
    var names: [String] = []
    for fling in flings where !names.contains(fling.loader) { names.append(fling.loader) }
    sheet.addHeading("Flings, by points/ms as the finger lets go", names: names)
    for measure in measures {
      sheet.addRow(
        loads.map { load in
          Plot(
            title: "\(measure.title), \(load) ms loads",
            places: velocities.map { String(Int($0)) },
            lines: names.map { name in
              let line = flings.filter { $0.loader == name && $0.trial.load == load }
              return PlotLine(name: name, values: line.map { measure.value($0.outcome) })
            },
            reach: flings.map { measure.value($0.outcome) }.max() ?? 0)
        })
    }
  }
}
