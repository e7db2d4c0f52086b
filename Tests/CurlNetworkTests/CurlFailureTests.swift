import Models
import Testing

@testable import CurlNetwork

struct CurlFailureTests {
  @Test func `masks the address and its user-info in libcurl's words`() throws {
    let address = try #require(WebAddress("https://moon:secret@host/a?token=hidden"))
    let words = "cannot get https://moon:secret@host/a?token=hidden for moon:secret"

    let message = CurlFailure.masked(words, about: address)

    #expect(message == "cannot get https://***@host/a?token=*** for ***")
  }

  @Test func `masks what a combining mark stands behind`() throws {
    let address = try #require(WebAddress("https://moon:secret@\u{301}host/a"))
    let words = "cannot get https://moon:secret@\u{301}host/a for moon:secret\u{301}"

    let message = CurlFailure.masked(words, about: address)

    #expect(message.utf8.elementsEqual("cannot get https://***@\u{301}host/a for ***\u{301}".utf8))
  }
}
