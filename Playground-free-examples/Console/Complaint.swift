import Foundation

/// Why a command cannot do its work, in a sentence.
public struct Complaint: Error, CustomStringConvertible {
  /// The sentence.
  public let description: String

  /// A complaint in a sentence.
  public init(_ description: String) { self.description = description }

  /// - Returns: A complaint with the error of the system's last call.
  public static func cannotWrite(_ name: String) -> Complaint {
    Complaint("\(name) cannot be written: \(String(cString: strerror(errno))).")
  }
}

/// Says something on standard error, in the name of a command.
public func say(_ sentence: String, by command: String) {
  // A failure here has no place to be printed.
  try? FileHandle.standardError.write(contentsOf: Data("\(command): \(sentence)\n".utf8))
}
