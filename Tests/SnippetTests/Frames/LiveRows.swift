import Foundation
import RowOperations
import RowOperationsTesting

private struct Stock: Identifiable { let id: String }
private struct Chat: Identifiable { let id: Int }
private struct Match: Identifiable { let id: Int }
private struct Quote: Sendable { let price: Double }
private struct Score: Sendable {}

private struct API: Sendable {
  func quote(of stock: Stock.ID) async throws -> Quote { Quote(price: 1) }
  func score(of match: Match.ID) async throws -> Score { Score() }
}

private struct Socket: Sendable {
  func subscribe(to stock: Stock.ID, _ receive: @escaping @Sendable (Quote) -> Void) -> Int { 0 }
  func unsubscribe(_ id: Int) {}
}

private struct Database: Sendable {
  func unread(in chat: Chat.ID) -> AsyncStream<Int> { AsyncStream { _ in } }
}

@MainActor
private final class Cell {
  var price: Double?
}

@MainActor
private func overview(
  _ api: API, _ socket: Socket, _ database: Database, _ cell: Cell, _ stock: Stock
) {
  do {
    //@ let quotes = DisplayTracker<Stock.ID, Quote>(
    quotes.removeAll()
  }
  do {
    //@ let unread = DisplayTracker<Chat.ID, Int>(updates: { database.unread(in: $0.row) })
    unread.removeAll()
  }
  do {
    //@ let scores = DisplayTracker<Match.ID, Score>(
    scores.removeAll()
  }
}

@MainActor
private func test() async throws {
  //@ let clock = ManualClock()
}
