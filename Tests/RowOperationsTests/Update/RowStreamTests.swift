import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

@Suite("The stream of a row", .timeLimit(.minutes(10)))
struct RowStreamTests {
  private final class Owner: UpdateOwner {
    let news = Box<[StreamID]>([])

    func receive(_ new: UpdateNews) {
      if case .stream(let id) = new { news.append(id) }
    }
  }

  private typealias Body = LiveUpdates<Int, String>.Body

  private static func stream(_ body: @escaping Body) -> RowStream {
    RowStream(RowToken(row: 1, generation: 1), body)
  }

  private static func newest(in stream: RowStream) -> String? {
    ValueBox<String>.value(in: stream.takeElement())
  }

  private let owner = Owner()
  private let id = StreamID(row: RowID(index: 1), serial: 1)

  @Test(
    "An element that a load has taken is not lost if the row goes on without the load",
    arguments: [false, true])
  func takenElement(owesFirst: Bool) async throws {
    let streams = Box<RowStream?>(nil)
    let loading = Task {
      try await RowStream.first(
        of: { streams.set($0) },
        in: UpdateContext<Int, String>(token: RowToken(row: 1, generation: 1))
      ) { _, take in
        take("first")
        await untilCancelled()
      }
    }
    #expect(try await loading.value == "first")
    let stream = try #require(streams.value)
    stream.report(to: owner, as: id, owesFirst: owesFirst)
    #expect(owner.news.value.count == (owesFirst ? 1 : 0))
    #expect(Self.newest(in: stream) == (owesFirst ? "first" : nil))
    stream.close()
  }

  @Test("A load that waits only after the row took its stream over takes no element")
  func lateWait() async throws {
    let streams = Box<RowStream?>(nil)
    let loading = Task { [owner, id] in
      try await RowStream.first(
        of: { stream in
          streams.set(stream)
          stream.report(to: owner, as: id, owesFirst: true)
          stream.take(ValueBox("first"))
        },
        in: UpdateContext<Int, String>(token: RowToken(row: 1, generation: 1))
      ) { _, _ in await untilCancelled() }
    }
    await #expect(throws: CancellationError.self) { try await loading.value }
    let stream = try #require(streams.value)
    #expect(owner.news.value == [id] && Self.newest(in: stream) == "first")
    stream.close()
  }

  @Test("The cancel of a load that waits for its first element ends the stream, even if it is held")
  func cancelledLoad() async throws {
    let streams = Box<RowStream?>(nil)
    let contexts = Box<UpdateContext<Int, String>?>(nil)
    let began = Gate()
    let loading = Task {
      try await RowStream.first(
        of: { streams.set($0) },
        in: UpdateContext<Int, String>(token: RowToken(row: 1, generation: 1))
      ) { context, _ in
        contexts.set(context)
        began.open()
        await untilCancelled()
      }
    }
    await began.opened()
    loading.cancel()
    await #expect(throws: CancellationError.self) { try await loading.value }
    let (stream, context) = (try #require(streams.value), try #require(contexts.value))
    #expect(throws: CancellationError.self) { try context.checkCancellation() }
    stream.close()
  }

  @Test("The close of a stream ends its body, even while someone holds the stream")
  func closedWhileHeld() async {
    let (began, ended) = (Gate(), Gate())
    let stream = Self.stream { _, _ in
      began.open()
      await untilCancelled()
      ended.open()
    }
    stream.open(qualityOfService: .default)
    await began.opened()
    stream.close()
    await ended.opened()
    #expect(Self.newest(in: stream) == nil)
  }
}
