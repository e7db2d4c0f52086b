import Models
import Testing

@testable import CurlNetwork

struct CertificateSourceTests {
  private let environment = ["SSL_CERT_FILE": "/env.pem", "SSL_CERT_DIR": "/certs"]

  @Test func `trusts the file that was named, and nothing else`() {
    let source = CertificateSource(file: "/a.pem", environment: environment)

    #expect(source.file == "/a.pem")
    #expect(source.folder == nil)
    #expect(source.isOnlySource)
  }

  @Test func `trusts what the environment names otherwise`() {
    let source = CertificateSource(file: nil, environment: environment)

    #expect(source.file == "/env.pem")
    #expect(source.folder == "/certs")
    #expect(!source.isOnlySource)
  }

  @Test func `leaves it to libcurl when nothing is named`() {
    let source = CertificateSource(file: nil, environment: ["SSL_CERT_FILE": ""])

    #expect(source.file == nil)
    #expect(source.folder == nil)
  }
}

struct NetrcFileTests {
  private let file = NetrcFile(
    text: """
      # my logins
      machine Moon.example login "moon \\"light\\"" password p#w # old
      machine sun.example
        login sun
        account 7
        password s
      machine macros.example login m
      macdef init
      machine evil.example login evil password evil

      machine stars.example login stars password t
      default login anyone password anything
      """
  )

  @Test(arguments: [
    ("https://moon.example/a", "moon \"light\"", "p#w"),
    ("http://SUN.example:8080/", "sun", "s"),
    ("https://macros.example/", "m", ""),
    ("https://stars.example/", "stars", "t"),
  ])
  func `finds the login of a host`(text: String, name: String, password: String) throws {
    let login = file.login(for: try #require(WebAddress(text)))

    #expect(login?.name == name)
    #expect(login?.password == password)
  }

  @Test(arguments: [
    "https://other.example/", "https://evil.example/", "https://user@moon.example/",
    "https://example/",
  ])
  func `has none for other hosts, and none where the address names one`(text: String) throws {
    #expect(file.login(for: try #require(WebAddress(text))) == nil)
  }

  @Test(arguments: [nil, "/nowhere/netrc"])
  func `is empty when there is no file`(path: String?) {
    #expect(NetrcFile(path: path).logins == [])
  }
}

struct RetryPolicyTests {
  private let policy = RetryPolicy()

  @Test(arguments: [(1, 1.0), (2, 2), (3, 4), (4, 8), (6, 30), (60, 30)])
  func `doubles the delay up to the longest`(number: Int, seconds: Double) {
    let delay = policy.delay(beforeRetry: number, random: 1)

    #expect(delay == .seconds(seconds))
  }

  @Test func `spreads delays over their upper half`() {
    #expect(policy.delay(beforeRetry: 3, random: 0) == .seconds(2))
    #expect(policy.delay(beforeRetry: 3, random: 0.5) == .seconds(3))
  }
}

struct WebAddressHostTests {
  @Test(arguments: [
    ("http://Host/a", "host"), ("https://host:443/", "host"), ("http://host:80/", "host"),
    ("http://u:p@host:/", "host"), ("https://host:80/", "host:80"),
    ("http://host:443/", "host:443"), ("http://[::1]:80?a@b", "[::1]"),
    ("http://host:8080", "host:8080"), ("http://a@b@Host/c@d", "host"), ("http:///Host/", "host"),
    ("http://Ä.example/", "ä.example"), ("http://host#@a", "host"), ("http:", ""),
  ])
  func `names a host for its pauses`(text: String, key: String) throws {
    #expect(try #require(WebAddress(text)).hostKey == key)
  }
}

struct WebAddressSendingTests {
  @Test(arguments: [
    ("http://Host/a", "host"), ("https://u:p@host:8080", "host:8080"),
    ("http://[::1]:80?a@b", "[::1]:80"), ("http://host#a/b", "host"),
  ])
  func `finds host and port`(text: String, host: String) throws {
    #expect(try #require(WebAddress(text)).hostAndPort == host)
  }

  @Test func `tells schemes without case`() throws {
    #expect(try #require(WebAddress("FILE:///a")).isFile)
    #expect(try #require(WebAddress("Https://a")).isSecure)
    #expect(try #require(WebAddress("http://a")).isSecure == false)
  }
}
