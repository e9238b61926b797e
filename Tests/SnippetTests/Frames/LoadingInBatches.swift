import Foundation
import RowOperations

private struct Person: Identifiable, Sendable {
  let id: Int
}

private struct API: Sendable {
  func people(_ ids: [Person.ID]) async throws -> [Person.ID: Person] { [:] }
  func url(of ids: [Person.ID]) -> URL { URL(fileURLWithPath: "/") }
}

private let api = API()

private func decodePeople(_ data: Data) throws -> [Person.ID: Person] { [:] }

@MainActor
private func requests() {
  //@ let people = DisplayTracker<Person.ID, Person>(batchesOf: 50) { batch in
  people.removeAll()
}

@MainActor
private func stages() {
  //@ let people = DisplayTracker<Person.ID, Person>(batchesOf: 50) { batch in
  people.removeAll()
}

@MainActor
private func watching(_ people: DisplayTracker<Person.ID, Person>, _ person: Person) {
  //@ print(people.metrics.batches, people.metrics.started)
}
