import Foundation
import RowOperations
import RowOperationsTesting

private struct Stock: Identifiable { let id: String }
private struct Chat: Identifiable { let id: Int }
private struct Match: Identifiable { let id: Int }
private struct Quote: Sendable {}
private struct Score: Sendable {}

private struct API: Sendable {
  func quote(of stock: Stock.ID) async throws -> Quote { Quote() }
  func score(of match: Match.ID) async throws -> Score { Score() }
}

private struct Socket: Sendable {
  func quotes(of stock: Stock.ID) -> AsyncStream<Quote> { AsyncStream { _ in } }
}

private struct Database: Sendable {
  func unread(in chat: Chat.ID) -> AsyncStream<Int> { AsyncStream { _ in } }
}

@MainActor
private func overview(_ api: API, _ socket: Socket, _ database: Database) {
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
private func test() {
  //@ let gate = StreamGate<Int, String>()
  tracker.removeAll()
}
