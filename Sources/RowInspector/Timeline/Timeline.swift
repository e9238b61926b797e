import RowOperations

/// The run of a tracker as a picture: time across, rows down.
///
/// A bracket holds the rows of a batch together: they are one request. It has their number, unless
/// it is too low for one.
///
/// It collects the events of `onEvent`, and writes an SVG picture (``svg(title:)``) or a trace that
/// opens in Perfetto (``trace()``).
///
/// ```swift
/// let timeline = Timeline<Photo.ID> { positions[$0] ?? 0 }
/// configuration.onEvent = timeline.record
/// // …
/// try timeline.svg(title: "Scrolling home").write(to: url, atomically: true, encoding: .utf8)
/// ```
///
/// **Threading**: main actor. **Cost**: an event is kept. Recording it is O(1), or O(rows on
/// screen) if a row comes on screen or leaves it. Writing is O(events).
@MainActor
public final class Timeline<Row: Hashable & Sendable> {
  private let position: (Row) -> Int
  private(set) var strips = TimelineStrips()
  private var numbers: [Row: Int] = [:]

  /// Makes a timeline without events.
  ///
  /// - Parameter position: Returns the place of a row in the list, counted from the top. Called for
  ///   each event: what began before the list changed is drawn where it began.
  public init(position: @escaping (Row) -> Int) {
    self.position = position
  }

  /// Records an event; use it as `TrackerConfiguration.onEvent`.
  public func record(_ event: TrackerEvent<Row>) {
    let number = numbers[event.row, default: numbers.count]
    numbers[event.row] = number
    strips.record(event, of: number, at: position(event.row))
  }

  /// Marks a moment with a line and a few words above the picture, such as "stop, 3 blank".
  ///
  /// - Parameters:
  ///   - words: The words.
  ///   - time: The time on the clock of the events: since the tracker was made.
  public func mark(_ words: String, at time: Duration) {
    strips.note(words, at: time)
  }

  /// The picture, as an SVG document for light and dark surroundings.
  ///
  /// - Parameter title: The title above it.
  public func svg(title: String) -> String {
    Self.svg([(title, self)])
  }

  /// Several runs, one above the other, on the same scales.
  public static func svg(_ runs: [(title: String, timeline: Timeline)]) -> String {
    TimelinePicture(runs.map { ($0.title, $0.timeline.strips.closed()) }).svg
  }

  /// The run in the Chrome trace event format, as JSON: for Perfetto, or a browser's tracing page.
  ///
  /// There are as many tracks for loads as loads ran at once, with their stages inside; waiting
  /// rows have tracks of their own. A batch is one load, such as "14 rows", whose rows are its
  /// argument.
  public func trace() -> String {
    TimelineTrace(strips.closed()).json
  }
}
