import Foundation
import RowOperationsTesting
import Testing

@testable import RowOperations

extension Adapters {
  @Suite("The frames of the views of a layout")
  struct ViewFramesTests {
    @Test("Frames change when a view is moved, hidden, shown or deallocated, until the next layout")
    func changes() {
      var frames = ViewFrames()
      var views = (0..<3).map { SimulatedCell(number: $0) }
      var places = [0: CGRect(x: 0, y: 0, width: 9, height: 9), 1: CGRect.zero]
      func frame(of view: AnyObject) -> CGRect? {
        (view as? SimulatedCell).flatMap { places[$0.number] }
      }
      let changes: [() -> Void] = [
        { places[0]?.origin.y = 5 }, { places[1] = nil }, { places[2] = .zero },
        { views.removeLast() },
      ]
      for change in changes {
        frames.record(views, frame: frame)
        #expect(!frames.haveChanged(frame: frame))
        change()
        #expect(frames.haveChanged(frame: frame))
      }
    }
  }

  @Suite("A set of views")
  struct ViewSetTests {
    @Test("Views that are taken, deallocated or unknown are forgotten")
    func forgotten() {
      var set = ViewSet()
      var views = (0..<3).map { SimulatedCell(number: $0) }
      func numbers(_ views: [AnyObject]) -> [Int] {
        views.compactMap { ($0 as? SimulatedCell)?.number }.sorted()
      }
      for view in views { set.insert(view) }
      views.removeLast()
      #expect(numbers(set.all { $0 === views[0] }) == [0])
      #expect(numbers(set.all { _ in true }) == [0])
      #expect(numbers(set.takeAll()) == [0])
      #expect(set.isEmpty && set.takeAll().isEmpty)
    }
  }
}
