import Testing

@testable import CurlNetwork

struct ProxySettingsTests {
  @Test(arguments: [
    (["http_proxy": "a:1"], "http://x.example/", ProxyRoute.proxy("a:1")),
    (["http_proxy": "a:1"], "https://x.example/", .direct),
    (["HTTP_PROXY": "a:1"], "http://x.example/", .direct),
    (["https_proxy": "b:2", "HTTPS_PROXY": "c:3"], "https://x.example/", .proxy("b:2")),
    (["https_proxy": "", "HTTPS_PROXY": "c:3"], "https://x.example/", .proxy("c:3")),
    (["all_proxy": "socks5://d:4"], "http://x.example/", .proxy("socks5://d:4")),
    (["ALL_PROXY": "d:4", "https_proxy": "b:2"], "https://x.example/", .proxy("b:2")),
    (["all_proxy": "d:4", "no_proxy": "x.example"], "http://x.example/", .direct),
    (["all_proxy": "d:4", "NO_PROXY": "x.example"], "http://x.example/", .direct),
    (
      ["all_proxy": "d:4", "no_proxy": "y", "NO_PROXY": "x.example"], "http://x.example/",
      .proxy("d:4")
    ),
    ([:], "http://x.example/", .direct),
  ])
  func `reads the environment as libcurl does`(
    environment: [String: String],
    url: String,
    route: ProxyRoute
  ) throws {
    let settings = ProxySettings(environment: environment)

    #expect(settings.route(to: try #require(HopURL(url))) == route)
  }

  @Test func `knows when there is none to think of`() {
    #expect(ProxySettings(environment: ["http_proxy": "", "no_proxy": "*"]).isEmpty)
    #expect(!ProxySettings(environment: ["all_proxy": "a"]).isEmpty)
  }

  @Test(arguments: [
    ("*", "any.example", true), ("*,a", "any.example", false), ("", "a.example", false),
    ("example", "example", true), ("Example.ORG", "example.org", true),
    ("example.org", "www.example.org", true), ("example.org", "nonexample.org", false),
    (".example.org", "example.org", true), (".example.org", "www.example.org", true),
    ("example.org.", "example.org", true), ("example.org", "example.org.", true),
    ("a.example, b.example", "b.example", true), ("a.example b.example", "b.example", true),
    ("www.example.org", "example.org", false), (".", "example.org", false),
    ("10.0.0.0/8", "10.1.2.3", true), ("10.0.0.0/8", "11.1.2.3", false),
    ("10.1.2.3", "10.1.2.3", true), ("10.1.2.3", "10.1.2.4", false), ("2.3", "10.1.2.3", false),
    ("10.1.2.3/32", "10.1.2.3", true), ("10.1.2.3/33", "10.1.2.3", false),
    ("fd00::/8", "[fd00::7]", true), ("fd00::/8", "[fe00::7]", false), ("::1", "[::1]", true),
    ("10.0.0.0/8", "ten.example", false),
  ])
  func `knows the hosts that need none`(list: String, host: String, isIn: Bool) {
    #expect(NoProxyList(list).contains(host) == isIn)
  }
}
