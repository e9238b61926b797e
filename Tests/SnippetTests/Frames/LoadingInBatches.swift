import Foundation
import RowOperations

private struct Person: Decodable, Identifiable, Sendable {
  let id: Int
  let name: String
}

@MainActor
private final class Cell {
  var name: String?
}

private struct API: Sendable {
  func url(of ids: [Person.ID]) -> URL { URL(fileURLWithPath: "/") }
}

private let api = API()

private func decodePeople(_ data: Data) throws -> [Person.ID: Person] { [:] }

@MainActor
private func requests(_ cell: Cell, _ person: Person) {
  //@ // GET /people?ids=1,2,3 answers [{"id": 1, "name": "Ann"}, {"id": 3, "name": "Bo"}].
}

@MainActor
private func stages() {
  //@ let people = DisplayTracker<Person.ID, Person>(batchesOf: 50) { batch in
  people.removeAll()
}

@MainActor
private func missing(
  _ people: DisplayTracker<Person.ID, Person>, _ cell: Cell, _ person: Person
) {
  //@ people.bind(cell, to: person.id) { cell, phase in
}

@MainActor
private func watching(_ people: DisplayTracker<Person.ID, Person>, _ person: Person) {
  //@ print(people.metrics.batches, people.metrics.started)
}
