import Testing

@testable import CurlNetwork

struct AddressClassTests {
  @Test(arguments: [
    ("0.0.0.0", AddressClass.unspecified), ("0.1.2.3", .unspecified), ("1.0.0.0", .public),
    ("9.255.255.255", .public), ("10.0.0.0", .private), ("10.255.255.255", .private),
    ("11.0.0.0", .public), ("100.63.255.255", .public), ("100.64.0.0", .shared),
    ("100.127.255.255", .shared), ("100.128.0.0", .public), ("126.255.255.255", .public),
    ("127.0.0.1", .loopback), ("127.255.255.255", .loopback), ("128.0.0.0", .public),
    ("169.253.255.255", .public), ("169.254.169.254", .linkLocal), ("169.255.0.0", .public),
    ("172.15.255.255", .public), ("172.16.0.0", .private), ("172.31.255.255", .private),
    ("172.32.0.0", .public), ("192.0.0.0", .reserved), ("192.0.0.255", .reserved),
    ("192.0.1.0", .public), ("192.0.2.1", .documentation), ("192.0.3.0", .public),
    ("192.88.99.1", .reserved), ("192.167.255.255", .public), ("192.168.0.0", .private),
    ("192.168.255.255", .private), ("192.169.0.0", .public), ("198.17.255.255", .public),
    ("198.18.0.0", .benchmarking), ("198.19.255.255", .benchmarking), ("198.20.0.0", .public),
    ("198.51.100.7", .documentation), ("203.0.113.7", .documentation), ("203.0.114.0", .public),
    ("223.255.255.255", .public), ("224.0.0.1", .multicast), ("239.255.255.255", .multicast),
    ("240.0.0.0", .reserved), ("255.255.255.254", .reserved), ("255.255.255.255", .broadcast),
  ])
  func `knows the kinds of IPv4 addresses, to the borders of their ranges`(
    text: String,
    kind: AddressClass
  ) throws {
    #expect(AddressClass(try #require(IPAddress(text))) == kind)
  }

  @Test(arguments: [
    ("::", AddressClass.unspecified), ("::1", .loopback), ("2001:4860:4860::8888", .public),
    ("2600::", .public), ("2000::", .public), ("3ffe:ffff::", .public), ("3fff::1", .documentation),
    ("3fff:fff:ffff::", .documentation), ("3fff:1000::", .public), ("4000::", .reserved),
    ("1fff::", .reserved), ("100::1", .reserved), ("2001:db8::1", .documentation),
    ("2001:db7::1", .public), ("2001:2::1", .benchmarking), ("2001:2:1::", .reserved),
    ("2001:10::1", .reserved), ("2001:20::1", .reserved), ("2001:1ff::", .reserved),
    ("2001:200::", .public), ("5f00::1", .reserved), ("fbff::", .reserved), ("fc00::1", .private),
    ("fdff::1", .private), ("fe00::1", .reserved), ("fe7f::1", .reserved), ("fe80::1", .linkLocal),
    ("febf::1", .linkLocal), ("fec0::1", .reserved), ("ff02::1", .multicast),
  ])
  func `knows the kinds of IPv6 addresses, to the borders of their ranges`(
    text: String,
    kind: AddressClass
  ) throws {
    #expect(AddressClass(try #require(IPAddress(text))) == kind)
  }

  @Test(arguments: [
    // Mapped and translated addresses have the class of the IPv4 address inside.
    ("::ffff:127.0.0.1", AddressClass.loopback), ("::ffff:10.0.0.1", .private),
    ("::ffff:169.254.169.254", .linkLocal), ("::ffff:0.0.0.0", .unspecified),
    ("::ffff:8.8.8.8", .public), ("64:ff9b::127.0.0.1", .loopback),
    ("64:ff9b::192.168.0.1", .private), ("64:ff9b::169.254.1.1", .linkLocal),
    ("64:ff9b::8.8.8.8", .public), ("64:ff9b:0:1::8.8.8.8", .reserved),
    // Only the network itself knows the targets of its local-use translation (RFC 8215).
    ("64:ff9b:1::8.8.8.8", .private), ("64:ff9b:1:ffff::10.0.0.1", .private),
    ("64:ff9b:1::169.254.169.254", .linkLocal), ("64:ff9b:2::8.8.8.8", .reserved),
    // Addresses in forms that are never assigned do not count as public either.
    ("::127.0.0.1", .loopback), ("::10.0.0.1", .private), ("::8.8.8.8", .reserved),
    ("::ffff:0:127.0.0.1", .loopback), ("::ffff:0:8.8.8.8", .reserved),
    // 6to4: the IPv4 address follows 2002.
    ("2002:7f00:1::1", .loopback), ("2002:a00:1::", .private), ("2002:c0a8:101::", .private),
    ("2002:a9fe:a9fe::", .linkLocal), ("2002:808:808::1", .public), ("2003::1", .public),
    // Teredo: the server follows 2001:0, and the inverted address of the client comes last.
    ("2001:0:808:808::f7f7:f7f7", .public), ("2001:0:808:808::80ff:fffe", .loopback),
    ("2001:0:808:808::5601:5601", .linkLocal), ("2001:0:a00:1::f7f7:f7f7", .private),
    ("2001:0:a00:1::5601:5601", .linkLocal),
  ])
  func `sees through addresses that stand for others`(text: String, kind: AddressClass) throws {
    #expect(AddressClass(try #require(IPAddress(text))) == kind)
  }

  @Test func `never allows what is not a server's address`() {
    let forbidden = AddressClass.allCases.filter(\.isForbidden)

    #expect(forbidden == [.linkLocal, .multicast, .unspecified, .broadcast])
  }
}

struct IPAddressTests {
  @Test(arguments: [
    "1.2.3.4", "0.0.0.0", "255.255.255.255", "::", "::1", "2001:db8::a:b", "fe80::1",
  ])
  func `writes what it has read`(text: String) throws {
    #expect(try #require(IPAddress(text)).description == text)
  }

  @Test(arguments: [
    "", "1.2.3", "0x7f.1", "1.2.3.4.5", "1.2.3.4 ", "fe80::1%lo", "[::1]", "localhost",
  ])
  func `reads nothing else`(text: String) {
    #expect(IPAddress(text) == nil)
  }

  @Test func `reads bytes in network order, four or sixteen`() {
    #expect(IPAddress(bytes: [1, 2, 3, 4]) == IPAddress("1.2.3.4"))
    #expect(
      IPAddress(bytes: [0x20, 1] + [UInt8](repeating: 0, count: 13) + [7]) == IPAddress("2001::7")
    )
    #expect(IPAddress(bytes: [1, 2, 3]) == nil)
    #expect(IPAddress(bytes: []) == nil)
  }
}

struct HopURLTests {
  @Test(arguments: [
    ("http://Example.ORG:8080/a", "http", "example.org"),
    ("HTTPS://user:pass@example.org", "https", "example.org"),
    ("http://0x7f.1/", "http", "127.0.0.1"), ("http://2130706433/", "http", "127.0.0.1"),
    ("http://0177.0.0.1/", "http", "127.0.0.1"), ("http://127.1/", "http", "127.0.0.1"),
    ("http://%31%32%37.0.0.1/", "http", "127.0.0.1"), ("http://[::1]:80/", "http", "[::1]"),
    ("http://localhost./", "http", "localhost."),
    ("http://a.example\\@b.example/", "http", "b.example"),
  ])
  func `reads the host as libcurl will ask for it`(text: String, scheme: String, host: String)
    throws
  {
    let url = try #require(HopURL(text))

    #expect(url.scheme == scheme)
    #expect(url.isAt(host), "\(url.host)")
    #expect(!url.hasZone)
  }

  @Test(arguments: ["http://[fe80::1%25eth0]/", "http://[::1%25lo]:80/"])
  func `sees a zone`(text: String) throws {
    #expect(try #require(HopURL(text)).hasZone)
  }

  @Test(arguments: ["", "http://", "http://a b/", "http://%ff/", "http://%00/"])
  func `reads nothing where there is no host`(text: String) {
    #expect(HopURL(text) == nil)
  }

  @Test func `takes no two spellings for one name`() throws {
    #expect(try !#require(HopURL("http://caf\u{E9}.example/")).isAt("cafe\u{301}.example"))
    #expect(try !#require(HopURL("http://\u{212A}.example/")).isAt("k.example"))
  }
}

extension AddressClass {
  /// On this machine 127.0.0.2 represents the open Internet, 127.0.0.3 a private network, and
  /// 127.0.0.4 the link.
  static func ofTests(_ address: IPAddress) -> AddressClass {
    switch address {
    case .v4(0x7F00_0002): .public
    case .v4(0x7F00_0003): .private
    case .v4(0x7F00_0004): .linkLocal
    default: AddressClass(address)
    }
  }
}
