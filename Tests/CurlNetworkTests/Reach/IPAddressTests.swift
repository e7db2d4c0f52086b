import Testing

@testable import CurlNetwork

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
