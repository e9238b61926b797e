import Foundation

/// The fields that have the number of the row in all documents so far in which the field that is
/// asked for does not.
///
/// They show which field a person may mean.
struct LikelyNumbers: Sendable {
  /// The fewest documents with different numbers that show what a field means.
  private static let fewest = 5
  /// How many names lead to a field at most, and how many fields are looked at in each object.
  private static let (depth, width) = (4, 500)

  /// Those of the first document, without those that later ones contradict.
  private var fields: [NumberField]?
  private var numbers: Set<Int> = []

  /// - Parameter number: That of the row on the server.
  mutating func see(_ document: Data, number: Int) {
    guard fields?.isEmpty != true else { return }
    numbers.insert(number)
    if let fields {
      self.fields = fields.filter { (try? $0.number(in: document)) == number }
    } else {
      let found = try? JSONDecoder().decode(Found.self, from: document)
      fields = found.map { $0.numbers.filter { $0.number == number }.map(\.field) } ?? []
    }
  }

  /// The field with the shortest name; `nil` if there is none, or if too few documents show it.
  var likeliest: NumberField? {
    guard numbers.count >= Self.fewest else { return nil }
    return fields?.min { ($0.description.count, "\($0)") < ($1.description.count, "\($1)") }
  }

  /// The whole numbers of a document.
  private struct Found: Decodable {
    private(set) var numbers: [(field: NumberField, number: Int)] = []

    init(from decoder: any Decoder) throws {
      look(into: try decoder.container(keyedBy: FieldName.self), [])
    }

    private mutating func look(
      into object: KeyedDecodingContainer<FieldName>, _ names: [String]
    ) {
      for key in object.allKeys.prefix(width) where !key.stringValue.isEmpty {
        let path = names + [key.stringValue]
        // A dot would look like a way into an object.
        if key.stringValue.contains(".") || !key.stringValue.isPrintable { continue }
        if let number = object.wholeNumber(key) {
          numbers.append((NumberField(path), number))
        } else if path.count < depth,
          let inner = try? object.nestedContainer(keyedBy: FieldName.self, forKey: key)
        {
          look(into: inner, path)
        }
      }
    }
  }
}

extension String {
  /// Whether a terminal shows each character of the text, and takes none for a command.
  fileprivate var isPrintable: Bool {
    unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
      default: true
      }
    }
  }
}
