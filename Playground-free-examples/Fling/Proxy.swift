import Foundation

/// The proxy that the system takes for requests, by variables of the environment.
///
/// Libcurl reads them on Linux. Apple's systems do not.
enum Proxy {
  /// Keeps requests to this machine away from a proxy.
  ///
  /// Call it before the first request.
  static func keepAwayFromLocalHosts() {
    setenv("no_proxy", hostsWithoutProxy(ProcessInfo.processInfo.environment), 1)
  }

  /// The hosts that need no proxy by the environment, and those of this machine.
  static func hostsWithoutProxy(_ environment: [String: String]) -> String {
    let others = environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
    // A star means all hosts, but only if it stands alone.
    if others == "*" { return others }
    return others.isEmpty ? localHosts : "\(others),\(localHosts)"
  }

  private static let localHosts = "127.0.0.1,localhost,::1"

  /// A sentence about the variable that may send a request through a proxy; `nil` if there is none.
  static func sentence(
    about url: URL, _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> String? {
    guard let scheme = url.scheme, !["127.0.0.1", "localhost", "::1"].contains(url.host ?? "")
    else {
      return nil
    }
    // Libcurl takes http_proxy in small letters alone.
    let names =
      ["\(scheme)_proxy", "all_proxy", "ALL_PROXY"] + (scheme == "https" ? ["HTTPS_PROXY"] : [])
    return names.first { environment[$0]?.isEmpty == false }.map {
      "Requests may go through the proxy of \($0)."
    }
  }
}
