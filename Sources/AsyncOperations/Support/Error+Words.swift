import Foundation

extension Error {
  /// The error in words, for the texts of other errors.
  ///
  /// Without a description of its own, an error of Swift has the `localizedDescription` "The
  /// operation could not be completed", which hides what happened.
  var words: String {
    self is any LocalizedError || self is any CustomNSError || type(of: self) is NSError.Type
      ? localizedDescription : String(describing: self)
  }
}
