import RowOperations

/// A way of loading rows, for comparison with others.
struct Loader: Sendable {
  let name: String
  let make: @Sendable @MainActor (World) -> any VirtualLoader

  static let recipe = Loader(name: "plain recipe") { VirtualRecipe($0) }
  /// The default for a list with an order that the tracker knows.
  static let adaptive = tracker(.adaptive, ".adaptive")
  static let immediate = tracker(.immediate, ".immediate")
  static let withoutOrder = Loader(name: ".adaptive, no order") {
    VirtualTracker($0, policy: .adaptive, knowsOrder: false)
  }

  /// The default with batches of 50.
  static let batches = Loader(name: ".adaptive, batches of 50") {
    VirtualTracker($0, policy: .adaptive, knowsOrder: true, batchSize: 50)
  }

  private static func tracker(_ policy: ScrollPolicy, _ name: String) -> Loader {
    Loader(name: name) { VirtualTracker($0, policy: policy, knowsOrder: true) }
  }

  static let all: [Loader] = [
    recipe, adaptive, immediate, tracker(.whenSettled, ".whenSettled"), withoutOrder,
    Loader(name: ".immediate, no order") {
      VirtualTracker($0, policy: .immediate, knowsOrder: false)
    },
    Loader(name: "token bucket") { VirtualBucket($0) },
    Loader(name: "fling gate") { VirtualWindow($0, .flingGate) },
    Loader(name: "ranges") { VirtualWindow($0, .ranges) },
    Loader(name: "ten rows") { VirtualWindow($0, .tenRows) },
  ]
}
