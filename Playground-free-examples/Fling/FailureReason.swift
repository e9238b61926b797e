import Foundation
import RowOperations

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Why a load failed, the same for loads that failed alike.
enum FailureReason: Hashable, Sendable {
  case status(Int)
  case timedOut
  case tooLarge
  case content(DocumentFault)
  /// The reply broke off.
  case cut
  /// The reply says that it is compressed, and cannot be unpacked.
  case notUnpacked
  /// The error's own words, without a period at their end.
  case other(String)

  init(_ error: any Error) {
    switch error {
    case let error as HTTPStatusError: self = .status(error.status)
    case let fault as DocumentFault: self = .content(fault)
    case let error as OperationError where error.code == .timedOut: self = .timedOut
    case let error as OperationError where error.code == .tooLarge: self = .tooLarge
    case let error as URLError: self.init(error)
    default: self = .other(error.localizedDescription.asClause)
    }
  }

  private init(_ error: URLError) {
    switch error.code {
    case .timedOut: self = .timedOut
    case .networkConnectionLost: self = .cut
    case .cannotDecodeContentData, .cannotDecodeRawData: self = .notUnpacked
    default:
      // On Linux these two have no code, and the words of libcurl name a number of bytes.
      let words = error.localizedDescription.asClause
      if words.contains("transfer closed") {
        self = .cut
      } else if words.contains("content unencoding") {
        self = .notUnpacked
      } else {
        self = .other(words)
      }
    }
  }
}

extension FailureReason: CustomStringConvertible {
  var description: String {
    switch self {
    case .status(let status): "HTTP \(status)"
    case .timedOut: "timed out"
    case .tooLarge: "too large"
    case .content(.empty): "empty reply"
    case .content(.notJSON): "not JSON"
    case .content(.noObject): "JSON, but no object"
    case .cut: "connection cut"
    case .notUnpacked: "malformed compression"
    case .other(let words): words
    }
  }
}

extension String {
  /// The text without a period at its end, as a part of a longer sentence.
  var asClause: String { hasSuffix(".") ? String(dropLast()) : self }
}
