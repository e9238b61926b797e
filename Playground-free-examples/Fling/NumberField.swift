import Foundation

/// The field of a document that has the number of its row.
struct NumberField: Hashable, Sendable {
  static let row = NumberField(["row"])

  /// The names on the way to it, from the outermost object.
  let names: [String]

  init(_ names: [String]) { self.names = names }

  /// Reads a name, or names with dots between them.
  init(_ text: String) throws {
    names = text.components(separatedBy: ".")
    if names.contains(where: \.isEmpty) {
      throw Complaint(
        "--number must be the name of a field, with dots inside objects, as in id or data.id, "
          + "not '\(text)'.")
    }
  }

  /// The whole number that a document has in the field, also as a string; `nil` if there is none.
  ///
  /// - Throws: The decoder's error if the bytes are no object.
  func number(in data: Data) throws -> Int? {
    let decoder = JSONDecoder()
    if let key = FieldName.userInfoKey { decoder.userInfo[key] = self }
    return try decoder.decode(Content.self, from: data).number
  }

  private struct Content: Decodable {
    let number: Int?

    init(from decoder: any Decoder) throws {
      var object = try decoder.container(keyedBy: FieldName.self)
      let field = FieldName.userInfoKey.flatMap { decoder.userInfo[$0] as? NumberField } ?? .row
      for name in field.names.dropLast() {
        guard
          let inner = try? object.nestedContainer(
            keyedBy: FieldName.self, forKey: FieldName(stringValue: name))
        else {
          number = nil
          return
        }
        object = inner
      }
      number = field.names.last.flatMap { object.wholeNumber(FieldName(stringValue: $0)) }
    }
  }
}

extension NumberField: CustomStringConvertible {
  var description: String { names.joined(separator: ".") }
}

extension KeyedDecodingContainer<FieldName> {
  /// The number that a field has, by itself or as a string; `nil` if it has none.
  func wholeNumber(_ key: FieldName) -> Int? {
    if let number = try? decode(Int.self, forKey: key) { return number }
    return (try? decode(String.self, forKey: key)).flatMap { Int($0) }
  }
}

/// The name of any field.
struct FieldName: CodingKey {
  /// Under which a decoder has the field that is looked for.
  static let userInfoKey = CodingUserInfoKey(rawValue: "field")

  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
