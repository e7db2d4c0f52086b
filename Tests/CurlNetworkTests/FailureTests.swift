import CCurl
import Glibc
import Models
import TestSupport
import Testing
import Workers

@testable import CurlNetwork

@Suite(.timeLimit(.minutes(60)))
struct FailureTests {
  @Test func `reports a server that cannot be reached, without secrets`() async throws {
    let server = try LoopbackServer.always(.whole())
    let address = try #require(server.address("/?token=hidden", user: "moon:secret"))
    server.stop()

    let failure = await NetworkWorker.testing()
      .failure(of: NetworkRequest(address: address, reach: .anywhere, byteLimit: 1))

    #expect(failure?.reason == .unreachable)
    #expect(failure?.address == address)
    #expect(failure?.message.isEmpty == false)
    #expect(failure?.message.contains("secret") == false)
    #expect(failure?.message.contains("hidden") == false)
  }

  @Test func `gives up on a server that stops sending`() async throws {
    let gate = Gate()
    defer { gate.open() }
    var timeouts = NetworkTimeouts()
    timeouts.stall = .seconds(1)
    let server = try LoopbackServer.always(.halted([1], [2], by: gate))

    let failure = await NetworkWorker.testing(timeouts: timeouts, retries: .never)
      .failure(of: try server.request())

    #expect(failure?.reason == .timedOut)
  }

  @Test func `gives up on a server that never answers`() async throws {
    let gate = Gate()
    defer { gate.open() }
    var timeouts = NetworkTimeouts()
    timeouts.stall = .seconds(1)
    let server = try LoopbackServer.always(.whole().held(by: gate))

    let failure = await NetworkWorker.testing(timeouts: timeouts, retries: .never)
      .failure(of: try server.request())

    #expect(failure?.reason == .timedOut)
  }

  @Test func `gives up on connecting`() async throws {
    var timeouts = NetworkTimeouts()
    timeouts.connecting = .milliseconds(200)
    let gate = Gate()
    defer { gate.open() }
    // The server accepts the connection but sends nothing, so the TLS handshake never ends.
    let server = try LoopbackServer.always(.whole().held(by: gate))
    let address = try #require(WebAddress("https://127.0.0.1:\(server.port)/"))

    let failure = await NetworkWorker.testing(timeouts: timeouts, retries: .never)
      .failure(of: NetworkRequest(address: address, reach: .anywhere, byteLimit: 1))

    #expect(failure?.reason == .unreachable)
  }

  @Test func `ends what takes longer than its request allows, and tries it no second time`()
    async throws
  {
    let server = try LoopbackServer.always(Self.drip)
    var request = try server.request()
    request.timeLimit = .seconds(2)

    let failure = await NetworkWorker.testing().failure(of: request)

    #expect(failure?.reason == .tooSlow(limit: .seconds(2)))
    await server.connections.reaches(1)
    #expect(server.connections.count == 1)
  }

  @Test func `ends a response that is collected whole, however steadily it drips`() async throws {
    var timeouts = NetworkTimeouts.patient
    timeouts.leastSpeed = 0
    timeouts.reply = .milliseconds(200)
    let server = try LoopbackServer.always(Self.drip)

    let failure = await NetworkWorker.testing(timeouts: timeouts, retries: .never)
      .failure(of: try server.request())

    #expect(failure?.reason == .timedOut)
  }

  @Test func `ends a response that is read as it arrives, however steadily it drips`() async throws
  {
    var timeouts = NetworkTimeouts.patient
    timeouts.leastSpeed = 0
    timeouts.stream = .milliseconds(500)
    let server = try LoopbackServer.always(Self.drip)

    let error = await #expect(throws: NetworkError.self) {
      let worker = NetworkWorker.testing(timeouts: timeouts, retries: .never)
      _ = try await worker.open(try server.request()).body.all()
    }

    #expect(error?.reason == .timedOut)
  }

  private static let drip = LoopbackResponse([
    .send(LoopbackResponse.header(200, ["Content-Length: 999"])),
    .trickle([UInt8](repeating: 1, count: 999)),
  ])

  @Test(arguments: [
    (LoopbackResponse.Ending.close, NetworkError.Reason.broken), (.reset, .broken),
    (.open, .insecure),
  ])
  func `tells a handshake that is cut from a peer that does not speak TLS`(
    ending: LoopbackResponse.Ending,
    reason: NetworkError.Reason
  ) async throws {
    let words = ending == .open ? LoopbackResponse.header(400, []) : []
    let welcome = LoopbackResponse([.read, .send(words)], ending: ending)
    let server = try LoopbackServer(LoopbackWays(welcome: welcome)) { _ in .hangUp }
    let address = try #require(WebAddress("https://127.0.0.1:\(server.port)/"))

    let failure = await NetworkWorker.testing()
      .failure(of: NetworkRequest(address: address, reach: .anywhere, byteLimit: 1))

    #expect(failure?.reason == reason)
    #expect(server.connections.count == (ending == .open ? 1 : 5))
  }

  /// The reset may reach libcurl before or after it looks up the peer's address.
  @Test func `takes one that resets a connection at once for no forbidden address`() async throws {
    let ways = LoopbackWays(welcome: LoopbackResponse([], ending: .reset))
    let server = try LoopbackServer(ways) { _ in .hangUp }
    let request = try server.request()

    for _ in 0..<200 {
      let failure = await NetworkWorker.testing(retries: .never).failure(of: request)
      #expect(failure?.reason == .broken || failure?.reason == .unreachable, "\(failure as Any)")
    }
  }

  @Test func `takes a header that is cut for no header`() async throws {
    let cut = LoopbackResponse([.send(Array("HTTP/1.1 404 Not Found\r\nETag".utf8))], closes: true)
    let server = try LoopbackServer.always(cut)
    let worker = NetworkWorker.testing()
    let request = try server.request()

    let failure = await worker.failure(of: request)
    let error = await #expect(throws: NetworkError.self) { try await worker.open(request) }

    #expect(failure?.reason == .broken)
    #expect(failure?.message == "the connection ended in the header")
    #expect(error == failure)
    #expect(server.arrivals.count == 10)
  }
}

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

  /// These are the messages of libcurl 7.88 and 8.14 with OpenSSL 3.
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
      (CURLE_UNSUPPORTED_PROTOCOL, "Unsupported HTTP/1 subversion in response", .notHTTP),
      (CURLE_UNSUPPORTED_PROTOCOL, "Unsupported HTTP version (7.0) in response", .notHTTP),
      (CURLE_UNSUPPORTED_PROTOCOL, "Protocol \"ftp\" not supported", .unsupportedScheme),
      (CURLE_UNSUPPORTED_PROTOCOL, "Protocol \"httpx\" disabled in redirect", .unsupportedScheme),
      (CURLE_UNSUPPORTED_PROTOCOL, "Unsupported protocol", .unsupportedScheme),
      (CURLE_BAD_FUNCTION_ARGUMENT, "Invalid response header", .notHTTP),
      (CURLE_BAD_FUNCTION_ARGUMENT, "Failed reading the chunked-encoded stream", .badChunks),
      (CURLE_BAD_FUNCTION_ARGUMENT, "A libcurl function was given a bad argument", .other(43)),
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
