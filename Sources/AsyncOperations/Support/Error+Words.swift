import Foundation

extension Error {
  /// For the texts of other errors.
  ///
  /// Without a description of its own, a Swift error has the `localizedDescription` "The operation
  /// could not be completed".
  var words: String {
    self is any LocalizedError || self is any CustomNSError || type(of: self) is NSError.Type
      ? localizedDescription : String(describing: self)
  }
}
