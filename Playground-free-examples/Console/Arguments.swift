import Foundation

/// The words of a command line, one after the other.
///
/// The value of an option follows it, or an equals sign.
public struct Arguments {
  private let command: String
  private var rest: ArraySlice<String>
  private var option = ""
  /// What stands after the equals sign, until it is read.
  private var joined: String?

  /// - Parameter command: For sentences about misuse.
  public init(_ words: [String], of command: String) {
    (rest, self.command) = (words[...], command)
  }

  /// The next word; of an option with a value, only its name; `nil` at the end.
  public mutating func next() throws -> String? {
    guard joined == nil else { throw Complaint("\(option) takes no value.") }
    guard let word = rest.popFirst() else { return nil }
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard word.hasPrefix("--"), parts.count == 2 else {
      option = word
      return word
    }
    (option, joined) = (String(parts[0]), String(parts[1]))
    return option
  }

  /// The value of the option.
  public mutating func value(_ noun: String = "a value") throws -> String {
    let isOption = joined == nil && rest.first?.hasPrefix("--") == true
    let value = isOption ? nil : joined ?? rest.popFirst()
    joined = nil
    guard let value, !value.isEmpty else {
      throw Complaint("\(option) needs \(noun). '\(command) --help' has an example.")
    }
    return value
  }

  /// The value of the option, as a whole number.
  public mutating func number<Number: FixedWidthInteger>(
    in range: ClosedRange<Number>
  ) throws -> Number {
    let text = try value("a number")
    guard let number = Number(text), range.contains(number) else {
      throw Complaint(
        "\(option) must be a whole number from \(range.lowerBound) to \(range.upperBound), not "
          + "'\(text)'.")
    }
    return number
  }

  /// The value of the option, as a decimal number.
  public mutating func decimal(in range: ClosedRange<Double>, _ unit: String) throws -> Double {
    let text = try value("a number")
    guard let number = Double(text), range.contains(number) else {
      let limits = String(format: "from %g to %g", range.lowerBound, range.upperBound)
      throw Complaint("\(option) must be \(unit) \(limits), not '\(text)'.")
    }
    return number
  }

  /// The value of the option, as the name of a file that can be written and ends in a suffix.
  public mutating func outputFile(_ suffix: String) throws -> String {
    let path = try value("the name of a file")
    guard path.lowercased().hasSuffix(suffix) || path.hasPrefix("/dev/") else {
      throw Complaint("\(option) writes a file that ends in \(suffix), not '\(path)'.")
    }
    return path
  }

  /// A complaint about a word that the command does not know.
  public func unknown(_ word: String) -> Complaint {
    let noun = word.hasPrefix("-") ? "option" : "argument"
    return Complaint("There is no \(noun) '\(word)'. '\(command) --help' lists all there are.")
  }
}
