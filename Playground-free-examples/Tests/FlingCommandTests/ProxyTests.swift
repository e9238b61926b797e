import Foundation
import Testing

@testable import fling

@Suite("The proxy of the environment")
struct ProxyTests {
  @Test("is kept away from this machine, and from the hosts that the environment names")
  func hosts() {
    let own = "127.0.0.1,localhost,::1"
    #expect(Proxy.hostsWithoutProxy([:]) == own)
    #expect(Proxy.hostsWithoutProxy(["no_proxy": "a", "NO_PROXY": "b"]) == "a,\(own)")
    #expect(Proxy.hostsWithoutProxy(["NO_PROXY": "b"]) == "b,\(own)")
    #expect(Proxy.hostsWithoutProxy(["no_proxy": "*"]) == "*")
  }

  @Test("is named unless the server is on this machine")
  func sentence() throws {
    func name(_ address: String, _ names: String...) throws -> String? {
      let url = try #require(URL(string: address))
      let variables = Dictionary(uniqueKeysWithValues: names.map { ($0, "http://p") })
      return Proxy.sentence(about: url, variables)?
        .replacingOccurrences(of: "Requests may go through the proxy of ", with: "")
    }
    #expect(try name("http://a", "http_proxy", "all_proxy") == "http_proxy.")
    #expect(try name("http://a", "https_proxy", "HTTP_PROXY") == nil)
    #expect(try name("https://a", "HTTPS_PROXY") == "HTTPS_PROXY.")
    #expect(try name("http://a", "ALL_PROXY") == "ALL_PROXY.")
    #expect(try name("http://a") == nil)
    for host in ["127.0.0.1:80", "localhost", "[::1]"] {
      #expect(try name("http://\(host)", "http_proxy") == nil)
    }
  }
}
