import CCurl
import Glibc
import Models
import Testing
import Workers

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

  /// The words are those of libcurl 7.88 and 8.14 with OpenSSL 3.
  @Test(
    arguments: [
      (CURLE_COULDNT_RESOLVE_HOST, "Could not resolve host: a", .unknownHost),
      (CURLE_GOT_NOTHING, "Empty reply from server", .noAnswer),
      (CURLE_RECV_ERROR, "Recv failure: Connection reset by peer", .connectionReset),
      (CURLE_RECV_ERROR, "chunk hex-length char not a hex digit: 0x73", .badChunks),
      (CURLE_RECV_ERROR, "OpenSSL SSL_read: unexpected eof while reading", .connectionBroken),
      (CURLE_PARTIAL_FILE, "transfer closed with 9 bytes remaining to read", .cutBody),
      (CURLE_WEIRD_SERVER_REPLY, "Invalid Content-Length: value", .badLength),
      (CURLE_UNSUPPORTED_PROTOCOL, "Received HTTP/0.9 when not allowed", .notHTTP),
      (CURLE_UNSUPPORTED_PROTOCOL, "Protocol \"ftp\" not supported", .unsupportedScheme),
      (
        CURLE_PEER_FAILED_VERIFICATION, "SSL certificate problem: certificate has expired",
        .expiredCertificate
      ),
      (
        CURLE_PEER_FAILED_VERIFICATION,
        "SSL: no alternative certificate subject name matches target host name 'a'",
        .certificateOfOtherHost
      ),
      (
        CURLE_PEER_FAILED_VERIFICATION,
        "SSL certificate problem: unable to get local issuer certificate", .unknownAuthority
      ),
      (CURLE_FILESIZE_EXCEEDED, "Exceeded the maximum allowed file size", .other(63)),
    ] as [(CURLcode, String, NetworkError.Cause)]
  )
  func `finds the cause in libcurl's code and words`(
    code: CURLcode,
    words: String,
    cause: NetworkError.Cause
  ) {
    #expect(CurlFailure(code: code, message: words).cause == cause)
  }

  @Test(
    arguments: [
      (ECONNREFUSED, .connectionRefused), (EHOSTUNREACH, .noRoute), (ENETUNREACH, .noRoute),
      (ETIMEDOUT, .slowConnection), (0, .unconnected),
    ] as [(Int32, NetworkError.Cause)]
  )
  func `finds the cause of a failed connection in what the system said`(
    error: Int32,
    cause: NetworkError.Cause
  ) {
    let words = "Failed to connect to a port 80 after 3 ms: Couldn't connect to server"
    let failure = CurlFailure(code: CURLE_COULDNT_CONNECT, message: words, systemError: error)

    #expect(failure.cause == cause)
    #expect(failure.reason == .unreachable)
  }
}
