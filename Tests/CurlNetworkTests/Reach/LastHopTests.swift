import Testing

@testable import CurlNetwork

struct LastHopTests {
  private static let addresses = [
    "http://a.example/1", "http://a.example/2?b=http://c.example/", "https://a.example/1",
    "http://user@b.example/", "http://a.example@b.example/", "http://a.example",
    "http://b.example?/",
    "http://caf\u{E9}.example/", "http://cafe\u{301}.example/", "http://a.example:81/",
    "http://[::1]/",
    "http://[::1%25lo]/", "http://127.1/", "", "http:///", "http://a b/", "http://a.example/3",
  ]

  @Test func `is read as it is by itself, whatever came before`() {
    for first in Self.addresses {
      for second in Self.addresses {
        var last = LastHop()
        _ = last.reading(first)
        let (hop, alone) = (last.reading(second), HopURL(second))

        #expect(hop?.scheme == alone?.scheme)
        #expect(hop.map { Array($0.host.utf8) } == alone.map { Array($0.host.utf8) })
        #expect(hop?.hasZone == alone?.hasZone)
      }
    }
  }
}
