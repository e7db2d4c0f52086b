import Foundation
import HTTPTypes
import Models
import Testing

@testable import gallery_server

/// The addresses that a server publishes, alone and behind proxies.
struct ReachTests {
  private static let published = [
    "/images.rss", "/images.atom", "/images.json", "/iiif/images/manifest.json",
  ]

  private static func settings(
    publicURL: String? = nil,
    basePath: String = "",
    trusting proxies: [String] = []
  ) throws -> GalleryServer.Settings {
    GalleryServer.Settings(
      basePath: basePath,
      hosts: ["photos.example.org"],
      publicURL: publicURL.flatMap { WebAddress($0) },
      proxies: try TrustedProxies(proxies)
    )
  }

  private static func fields(_ more: [String: String]) throws -> HTTPFields {
    var fields = ServerBench.admin
    for (name, value) in more { fields[try #require(HTTPField.Name(name))] = value }
    return fields
  }

  /// The beginnings of all addresses of this gallery in a document.
  private static func origins(_ text: String) -> Set<String> {
    Set(
      text.replacing("\\/", with: "/")
        .matches(of: /(https?:\/\/[^\/"<]+(?:\/[a-z]+)*?)\/(?:images|t|iiif|feeds)[\/.]/)
        .map { String($0.1) }
    )
  }

  @Test(arguments: [
    ("127.0.0.1:8470", false, true), ("gallery.localhost", false, true),
    ("[::1]:8470", false, true),
    ("photos.example.org", true, true), ("photos.example.org", false, false),
    ("photos.example.org:8470", false, false),
  ])
  func `names a policy about openers only where browsers follow it`(
    host: String,
    isSecure: Bool,
    isNamed: Bool
  ) async throws {
    var settings = try Self.settings()
    settings.isSecure = isSecure
    let bench = try await ServerBench(settings)

    let page = try await bench.ask("/", host: host)

    let policy = page.fields[.crossOriginOpenerPolicy]
    #expect(page.status == 200 && policy == (isNamed ? "same-origin" : nil))
    #expect(page.fields[.contentSecurityPolicy] != nil)
  }

  // MARK: The public address

  @Test(arguments: published)
  func `the public address decides about everything that is published`(path: String) async throws {
    let bench = try await ServerBench(try Self.settings(publicURL: "https://photos.example.org/"))

    for host in ["photos.example.org", "127.0.0.1:8470"] {
      let text = try await bench.ask(path, host: host).text
      #expect(Self.origins(text) == ["https://photos.example.org"], "\(text.prefix(400))")
    }
  }

  @Test func `the public address may have a port and a path that a proxy removes`() async throws {
    let url = "https://photos.example.org:8443/gallery/"
    let bench = try await ServerBench(try Self.settings(publicURL: url))

    let feed = try await bench.ask("/images.rss").text
    #expect(Self.origins(feed) == ["https://photos.example.org:8443/gallery"])
    for path in ["/", "/gallery/", "/images/2", "/gallery/images/2", "/gallery?sort=title"] {
      let page = try await bench.ask(path, host: "photos.example.org")
      #expect(page.status == 200, "\(path)")
      #expect(page.text.contains(#"data-base="/gallery""#), "\(path)")
      for match in page.text.matches(of: /(?:src|href|action)="(\/[^"]*)"/) {
        #expect(match.1.hasPrefix("/gallery/"), "\(match.1) on \(path)")
      }
    }
    #expect(try await bench.ask("/gallerys/images/2").status == 404)
  }

  @Test func `a first visit through a proxy leads to the public path, with a cookie for it`()
    async throws
  {
    let bench = try await ServerBench(
      try Self.settings(publicURL: "https://photos.example.org/gallery"),
      syncing: nil
    )

    let visit = try await bench.ask(
      "/feeds?token=\(ServerBench.token)",
      .get,
      [:],
      host: "photos.example.org"
    )

    #expect(visit.fields[.location] == "/gallery/feeds")
    let cookie = try #require(visit.fields[.setCookie])
    #expect(cookie.contains("Path=/gallery;") && cookie.hasSuffix("; Secure"), "\(cookie)")
  }

  /// A browser on this machine speaks HTTP, and would not send a cookie that is only for TLS.
  @Test func `a cookie is only for TLS where the public name is asked for`() async throws {
    let bench = try await ServerBench(
      try Self.settings(publicURL: "https://photos.example.org/"),
      syncing: nil
    )

    let direct = try await bench.ask("/?token=\(ServerBench.token)", .get, [:])
    let through = try await bench.ask(
      "/?token=\(ServerBench.token)",
      .get,
      [:],
      host: "photos.example.org"
    )

    #expect(direct.fields[.setCookie]?.contains("Secure") == false)
    #expect(through.fields[.setCookie]?.hasSuffix("; Secure") == true)
  }

  @Test func `pages below a base path keep it where the public path does not lead`() async throws {
    let bench = try await ServerBench(
      try Self.settings(publicURL: "https://photos.example.org/", basePath: "/pictures")
    )

    #expect(try await bench.ask("/pictures/").text.contains(#"data-base="/pictures""#))
    let shown = try await bench.ask("/pictures/", host: "photos.example.org").text
    #expect(shown.contains(#"data-base="""#))
    #expect(
      Self.origins(try await bench.ask("/pictures/images.rss").text) == [
        "https://photos.example.org"
      ]
    )
  }

  /// nginx with `Host $host` passes the name without its port.
  @Test
  func `a page of the public address may change the library, whatever port the proxy passes on`()
    async throws
  {
    let bench = try await ServerBench(
      try Self.settings(publicURL: "http://photos.example.org:8080/")
    )
    let change = { (origin: String) in
      let fields = try Self.fields(["Origin": origin])
      return try await bench.ask("/api/v1/images/1/pin", .put, fields, host: "photos.example.org")
        .status
    }

    #expect(try await change("http://photos.example.org:8080") == 204)
    #expect(try await change("http://photos.example.org:9999") == 403)
    #expect(try await change("https://evil.example") == 403)
  }

  // MARK: Trusted proxies

  private static let forwarded: [[String: String]] = [
    ["X-Forwarded-Proto": "https", "X-Forwarded-Host": "photos.example.org"],
    [
      "X-Forwarded-Proto": "https", "X-Forwarded-Host": "photos.example.org",
      "X-Forwarded-For": "1.2.3.4",
    ],
    ["Forwarded": #"for="[2001:db8::1]:4711";proto=https;host=photos.example.org"#],
    [
      "Forwarded":
        "for=6.6.6.6;proto=http;host=evil.example, for=1.2.3.4;proto=https;host=photos.example.org"
    ],
  ]

  @Test(arguments: forwarded)
  func `what a trusted proxy says counts`(said: [String: String]) async throws {
    let bench = try await ServerBench(try Self.settings(trusting: ["10.0.0.0/8", "::1"]))
    let fields = try Self.fields(said)

    for proxy in ["10.1.2.3", "::1"] {
      let answer = try await bench.ask("/images.rss", .get, fields, from: proxy)
      #expect(Self.origins(answer.text) == ["https://photos.example.org"])
    }
    let visit = try await bench.ask("/?token=\(ServerBench.token)", .get, fields, from: "10.1.2.3")
    #expect(visit.fields[.setCookie]?.hasSuffix("; Secure") == true)
  }

  @Test(arguments: forwarded)
  func `what others say does not count`(said: [String: String]) async throws {
    let bench = try await ServerBench(try Self.settings(trusting: ["10.0.0.0/8"]))
    let fields = try Self.fields(said)

    for stranger: String? in ["11.0.0.1", "fd00::10", nil] {
      let answer = try await bench.ask("/images.rss", .get, fields, from: stranger)
      #expect(Self.origins(answer.text) == ["http://127.0.0.1:8470"])
    }
    let visit = try await bench.ask("/?token=\(ServerBench.token)", .get, fields, from: "11.0.0.1")
    #expect(visit.fields[.setCookie]?.contains("Secure") == false)
  }

  @Test(arguments: [
    ("photos.example.org", 200), ("Public.example:444", 200), ("evil.example", 421), ("", 200),
    ("photos.example.org.evil.example", 421), ("photos.example.org:80:evil", 421),
  ])
  func `a forwarded host is one of this server, or the public one`(host: String, status: Int)
    async throws
  {
    let bench = try await ServerBench(
      try Self.settings(publicURL: "https://public.example/", trusting: ["unix"]),
      syncing: nil
    )
    let fields = try Self.fields(["X-Forwarded-Host": host])

    #expect(try await bench.ask("/healthz", .get, fields, from: "/proxy").status == status)
    // The received host is checked as well.
    let foreign = try await bench.ask(
      "/healthz",
      .get,
      fields,
      host: "evil.example",
      from: "/proxy"
    )
    #expect(foreign.status == 421)
  }

  @Test(arguments: [
    ("/gallery", "/gallery"), ("/gallery/", "/gallery"), ("//evil.example", ""), ("gallery", ""),
    ("/a\" onload", ""), ("/../x", ""), ("/a/b-c", "/a/b-c"), ("/é", ""),
  ])
  func `pages have the path that a proxy has removed, if it is one`(prefix: String, base: String)
    async throws
  {
    let bench = try await ServerBench(try Self.settings(trusting: ["unix"]))
    let fields = try Self.fields(["X-Forwarded-Prefix": prefix])

    let page = try await bench.ask("/", .get, fields, from: "/proxy").text

    #expect(page.contains("data-base=\"\(base)\""), "\(page.prefix(200))")
  }

  @Test(arguments: [
    (["X-Forwarded-For": "6.6.6.6, 1.2.3.4"], [UInt8]([1, 2, 3, 4])),
    (["X-Forwarded-For": "6.6.6.6, 1.2.3.4:5000, 10.0.0.9"], [1, 2, 3, 4]),
    (["Forwarded": "for=6.6.6.6, for=\"1.2.3.4:80\";proto=https, for=10.9.9.9"], [1, 2, 3, 4]),
    (["Forwarded": "for=6.6.6.6", "X-Forwarded-For": "1.2.3.4"], [1, 2, 3, 4]),
    (["Forwarded": "for=_hidden"], nil),
    (["Forwarded": "for=unknown, for=10.0.0.1"], [10, 0, 0, 1]),
    ([:], nil),
  ])
  func `the client is the nearest one that is no trusted proxy`(
    said: [String: String],
    client: [UInt8]?
  ) throws {
    let facts = ForwardedFacts(try Self.fields(said), through: try TrustedProxies(["10.0.0.0/8"]))

    #expect(facts.client == client)
  }

  @Test(arguments: [
    ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false),
    ("10.0.0.1", "10.0.0.1", true),
    ("10.0.0.1", "10.0.0.2", false), ("172.16.0.0/12", "172.31.9.9", true),
    ("172.16.0.0/12", "172.32.0.1", false),
    ("fd00::/8", "fdff::1", true), ("fd00::/8", "fe80::1", false),
    ("127.0.0.1", "::ffff:127.0.0.1", true),
    ("0.0.0.0/0", "9.9.9.9", true), ("0.0.0.0/0", "::1", false),
  ])
  func `a network has the addresses that begin like it`(
    network: String,
    address: String,
    isIn: Bool
  ) async throws {
    let bench = try await ServerBench(try Self.settings(trusting: [network]), syncing: nil)
    let fields = try Self.fields(["X-Forwarded-Host": "evil.example"])

    #expect(
      try await bench.ask("/healthz", .get, fields, from: address).status == (isIn ? 421 : 200)
    )
  }

  @Test(arguments: [
    "localhost", "10.0.0.0/33", "10.0.0/8", "", "fd00::/129", "10.0.0.1/x", "unix:/run/x",
  ])
  func `a text that names no proxy is refused`(text: String) {
    #expect(throws: TrustedProxies.UnusableText.self) { try TrustedProxies([text]) }
  }

  // MARK: People whom a proxy has logged in

  @Test func `a name that a trusted proxy gives has the rights of the token with that name`()
    async throws
  {
    var settings = try Self.settings(trusting: ["10.0.0.1"])
    settings.userHeader = HTTPField.Name("Remote-User")
    let bench = try await ServerBench(settings)
    for (name, isAdmin) in [("anna", true), ("ben@example.org", false)] {
      _ = try bench.tokens.add(Access(name: name, isAdmin: isAdmin), created: Date(), expires: nil)
    }
    let ask = { (user: String, path: String, method: HTTPRequest.Method, proxy: String?) in
      let fields: HTTPFields = [try #require(HTTPField.Name("Remote-User")): user]
      return try await bench.ask(path, method, fields, from: proxy).status
    }

    #expect(try await ask("anna", "/", .get, "10.0.0.1") == 200)
    #expect(try await ask("anna", "/api/v1/images/1/pin", .put, "10.0.0.1") == 204)
    #expect(try await ask("ben@example.org", "/", .get, "10.0.0.1") == 200)
    #expect(try await ask("ben@example.org", "/api/v1/images/1/pin", .put, "10.0.0.1") == 403)
    for unknown in ["carl", "admin", "anna,ben@example.org"] {
      #expect(try await ask(unknown, "/", .get, "10.0.0.1") == 403)
    }
    for stranger in ["10.0.0.2", nil] { #expect(try await ask("anna", "/", .get, stranger) == 401) }
    #expect(try await ask("", "/", .get, "10.0.0.1") == 401)
    try bench.tokens.remove(name: "anna")
    #expect(try await ask("anna", "/", .get, "10.0.0.1") == 403)
  }

  /// Such a request has no secret of its own, so a stranger's page in the same browser could make it.
  @Test func `pages of other origins cannot read what a proxy's login opens`() async throws {
    var settings = try Self.settings(trusting: ["unix"])
    settings.userHeader = HTTPField.Name("Remote-User")
    let bench = try await ServerBench(settings)
    _ = try bench.tokens.add(Access(name: "anna", isAdmin: false), created: Date(), expires: nil)
    let fields: HTTPFields = [try #require(HTTPField.Name("Remote-User")): "anna"]

    let answer = try await bench.ask("/api/v1/images", .get, fields, from: "/proxy")

    #expect(answer.status == 200)
    #expect(answer.fields[.accessControlAllowOrigin] == nil)
    #expect(answer.policy == "same-origin")
    // The system does not tell the address of a client that left before its connection was accepted.
    #expect(try await bench.ask("/api/v1/images", .get, fields).status == 401)
  }

  // MARK: Names

  @Test(arguments: [
    ("fd00::5", "[fd00::5]"), ("[fd00::5]", "[fd00::5]"), ("FD00::0005", "[fd00::5]"),
    ("Photos.Home", "photos.home"),
    ("192.168.1.20", "192.168.1.20"), ("photos.home.", "photos.home"),
    ("xn--mller-kva.home", "xn--mller-kva.home"),
  ])
  func `a name has one spelling, in which requests are answered`(name: String, spelling: String)
    async throws
  {
    let host = try HostName.parse(name)
    #expect(host == spelling)
    let bench = try await ServerBench(.init(hosts: [host]), syncing: nil)

    for asked in [spelling, "\(spelling):8470", spelling.uppercased()] {
      #expect(try await bench.ask("/healthz", .get, [:], host: asked).status == 200, "\(asked)")
    }
  }

  @Test(arguments: [
    ("photos.home:8470", "has no port"), ("[fd00::5]:8470", "has no port"), ("*.home", "one name"),
    ("müller.home", "xn--"), ("http://photos.home", "only its name"), ("fe80::1%eth0", "zone"),
    ("", "neither"), ("a b", "neither"), ("photos..home", "neither"),
  ])
  func `a name that no browser sends is refused with a reason`(name: String, reason: String) {
    let problem = #expect(throws: HostName.Problem.self) { try HostName.parse(name) }
    #expect(problem?.text.contains(reason) == true)
  }

  @Test func `the bare address of a network with IPv6 has the usual port`() throws {
    #expect(try ListenAddress("fd00::5") == .host("fd00::5", port: 8_470))
    #expect(try ListenAddress("[fd00::5]:80") == .host("fd00::5", port: 80))
    #expect(try ListenAddress("photos.home:80") == .host("photos.home", port: 80))
  }
}
