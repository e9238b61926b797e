/// The flings of a filmed list, at times that do not depend on its loads, so that two feeds fill
/// the same scroll.
struct FilmCourse: Equatable, Sendable {
  struct Fling: Equatable, Sendable {
    /// In seconds since the list, with its first screen loaded, was at rest.
    let time: Double
    /// In points per millisecond; positive towards the end of the list.
    let velocity: Double
  }

  let flings: [Fling]
  /// In seconds.
  let duration: Double
}

extension FilmCourse {
  /// The list is flung, caught and flung on, lands, and is flung back.
  init(velocity: Double) {
    flings = [
      Fling(time: 0.5, velocity: velocity),
      Fling(time: 0.9, velocity: velocity),
      Fling(time: 5, velocity: -velocity),
    ]
    duration = 9.5
  }

  /// The flings after one time, up to and including another.
  func flings(after start: Double, through end: Double) -> [Fling] {
    flings.filter { $0.time > start && $0.time <= end }
  }
}
