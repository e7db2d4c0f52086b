import Models
import Testing

struct WebAddressMaskingTests {
  @Test(arguments: [
    ("https://ann:pass@host.example/a", "https://***@host.example/a"),
    ("https://t0ken@host.example/a", "https://***@host.example/a"),
    ("https://a@b:c@host.example/", "https://***@host.example/"),
    ("https://ann:pa#ss@host.example/a", "https://***@host.example/a"),
    ("https://ann:p/a?s@s@host.example/a", "https://***@host.example/a"),
    ("https://host.example/a?api_key=k3y&page=2", "https://host.example/a?api_key=***&page=2"),
    ("https://host.example/a?page=2&Token=t0p", "https://host.example/a?page=2&Token=***"),
    (
      "https://s3.example/a?X-Amz-Signature=ab&X-Amz-Date=20261102",
      "https://s3.example/a?X-Amz-Signature=***&X-Amz-Date=20261102"
    ),
    ("https://host.example/a?sig=a=b&key=", "https://host.example/a?sig=***&key=***"),
    ("https://host.example/a#access_token=t0p&x=1", "https://host.example/a#access_token=***&x=1"),
    // Combining marks, which make another character of what they stand behind.
    ("https://host.example/?key=\u{301}k3y&a=\u{301}", "https://host.example/?key=***&a=\u{301}"),
    ("https://host.example/?a&\u{301}key=b&key=c", "https://host.example/?a&\u{301}key=b&key=***"),
    (
      "https://host.example/?a\r&\u{301}&\u{200D}&key=c",
      "https://host.example/?a\r&\u{301}&\u{200D}&key=***"
    ),
    ("https://[\u{301}a:b@host.example/", "https://***@host.example/"),
  ])
  func `masks user-info and the values of secret parameters`(
    _ text: String,
    _ masked: String
  ) throws {
    let address = try #require(WebAddress(text))

    #expect(address.masked == masked)
    #expect("\(address)" == masked)
  }

  @Test(arguments: [
    "https://host.example/a?page=2&keyboard=1&q=token", "https://host.example/a?key",
    "https://host.example/@ann/b", "https://host.example:8080/@ann/b", "https://[::1]:80/@ann",
    "file:///home/ann/a@b.xml", "https://host.example/a#top",
  ])
  func `leaves what is no secret`(_ text: String) throws {
    #expect(try #require(WebAddress(text)).masked == text)
  }
}
