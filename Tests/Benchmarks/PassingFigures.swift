import Foundation
import RowOperations

extension Family {
  /// B3: a row that scrolls past unloaded, next to the plain recipe.
  static let passingRows = Family(id: "B3", title: "rows that scroll past") { effort in
    let rows = rowNames(effort.size(1000))
    let (tracked, recipe) = (TrackedHost(), RecipeHost())
    let pairs = await interleave(rounds: effort.repetitions(41)) {
      await tracked.close()
      let cost = await PassingRows.pass(rows[...], through: tracked) { await tracked.drain() }
      tracked.forgetHeld()
      return cost
    } _: {
      recipe.close()
      let cost = await PassingRows.pass(rows[...], through: recipe) { await recipe.drain() }
      recipe.forgetHeld()
      return cost
    }
    return [
      Entry(
        id: "B3a", title: "a row that scrolls past / plain recipe: main thread",
        sample: Sample(pairs.map { $0.a.main / $0.b.main }), limit: 0.6),
      Entry(
        id: "B3b", title: "a row that scrolls past / plain recipe: all threads",
        sample: Sample(pairs.map { $0.a.process / $0.b.process }), limit: 0.3),
    ]
  }

  /// The rows of a list, by name.
  static func rowNames(_ count: Int) -> [String] { (0..<count).map { "row \($0)" } }
}
