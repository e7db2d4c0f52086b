import CurlNetwork
import Foundation
import Models
import TestSupport
import Testing
import Workers

@Suite(.timeLimit(.minutes(60)))
struct ResponseTests {
  private let worker = NetworkWorker.testing()

  @Test func `answers with header and body`() async throws {
    let fields = [
      "ETag: W/\"moon\"", "last-modified: Sat, 21 Nov 2026 08:00:00 GMT",
      "Content-Type: Image/JPEG ; charset=\"utf-8\"", "X-Other: 1",
    ]
    let server = try LoopbackServer.always(.whole([1, 2, 3], status: 203, fields: fields))
    let request = try server.request()

    let reply = try await worker.fetch(request)

    let header = NetworkHeader(
      status: 203,
      address: request.address,
      validators: Validators(
        entityTag: "W/\"moon\"",
        lastModified: "Sat, 21 Nov 2026 08:00:00 GMT"
      ),
      mediaType: "image/jpeg",
      charset: "utf-8",
      contentLength: 3,
      modified: Date(timeIntervalSince1970: 1_795_248_000),
      firstPeer: .private(host: "127.0.0.1")
    )
    let wireBytes = LoopbackResponse.header(203, fields + ["Content-Length: 3"]).count + 3
    #expect(reply == NetworkReply(header: header, body: [1, 2, 3], wireBytes: wireBytes))
  }

  @Test(arguments: [
    ("<?page=2>; rel=\"next\"", "/a?page=2"),
    ("</a?page=1>; rel=\"prev\", </b?page=3>; rel=\"last next\"; title=\"x\"", "/b?page=3"),
    ("</b>;rel=next", "/b"),
    ("</b>; rel=\"nextish\", </c>; title=\"next\"", nil),
    ("</b", nil),
  ])
  func `finds the next page that a Link field names`(field: String, path: String?) async throws {
    let server = try LoopbackServer.always(.whole(fields: ["Link: \(field)"]))
    let request = try server.request("/a")

    let reply = try await worker.fetch(request)

    #expect(reply.header.nextPage == path.flatMap(request.address.resolving))
  }

  @Test func `sends what the request says and names the program`() async throws {
    let server = try LoopbackServer.always(.whole())
    var request = try server.request("/a?b=c")
    request.accept = "image/png"

    _ = try await worker.fetch(request)

    let sent = try #require(server.requests.first)
    #expect(sent.method == "GET")
    #expect(sent.target == "/a?b=c")
    #expect(sent["User-Agent"] == "gallery/test")
    #expect(sent["Accept"] == "image/png")
    #expect(sent["Accept-Encoding"] == "identity")
    #expect(sent["Accept-Language"] == nil)
    #expect(sent["Range"] == nil)
    #expect(sent["If-None-Match"] == nil)
  }

  /// Consecutive requests use the same easy handle.
  @Test func `sends nothing that the transfer before has sent`() async throws {
    let server = try LoopbackServer.always(.whole())
    let plain = try server.request("/a")
    var other = try server.request("/b")
    other.accept = "text/html"
    other.language = "de"
    other.acceptsCompression = true
    other.validators = Validators(entityTag: "\"a\"", lastModified: "last week")
    other.range = NetworkRange(offset: 3, validator: "\"b\"")

    for request in [plain, other, plain, plain, other] { _ = try? await worker.fetch(request) }

    let sent = server.requests
    #expect(sent.map(\.target) == ["/a", "/b", "/a", "/a", "/b"])
    let names = [
      "Accept", "Accept-Encoding", "Accept-Language", "If-None-Match", "If-Modified-Since", "Range",
    ]
    for name in names {
      #expect(sent.map { $0[name] } == [0, 1, 0, 0, 1].map { sent[$0][name] }, "\(name)")
    }
    #expect(sent[2]["Accept-Encoding"] == "identity")
    #expect(sent[4]["Range"] == "bytes=3-")
    #expect(sent[4]["Accept-Language"] == "de, *;q=0.5")
    #expect(sent[2]["Range"] == nil)
  }

  @Test func `sends validators byte for byte and lets a 304 renew them`() async throws {
    let fields = ["ETag: \"n\u{E9}w\u{FF}\""]
    let server = try LoopbackServer.always(.whole(status: 304, fields: fields))
    var request = try server.request()
    request.validators = Validators(entityTag: "\"\u{E9}\u{80}\"", lastModified: "last  week")

    let reply = try await worker.fetch(request)

    let sent = try #require(server.requests.first)
    #expect(sent["If-None-Match"] == "\"\u{E9}\u{80}\"")
    #expect(sent["If-Modified-Since"] == "last  week")
    #expect(reply.body == [])
    #expect(reply.header.status == 304)
    #expect(
      reply.header.validators
        == Validators(entityTag: "\"n\u{E9}w\u{FF}\"", lastModified: "last  week")
    )
  }

  @Test func `tells when a response was made, and how long it may be used`() async throws {
    let fields = [
      "Date: Sat, 21 Nov 2026 08:00:00 GMT", "Cache-Control: max-age=90", "Age: 30",
    ]
    let server = try LoopbackServer.inTurn(
      .whole(fields: fields),
      .whole(status: 304, fields: fields)
    )
    var request = try server.request()
    request.validators.lastModified = "Sat, 21 Nov 2026 07:00:00 GMT"

    for status in [200, 304] {
      let header = try await worker.fetch(request).header
      #expect(header.status == status)
      #expect(header.date == Date(timeIntervalSince1970: 1_795_248_000))
      #expect(header.freshSeconds == 60)
      #expect(
        header.modified == (status == 304 ? Date(timeIntervalSince1970: 1_795_244_400) : nil)
      )
    }
  }

  @Test(arguments: ["a\r\nX-Evil: 1", "a\nb", "a\0b", "\u{2603}"])
  func `refuses a validator that is not a line of bytes`(tag: String) async throws {
    let server = try LoopbackServer.always(.whole())
    var request = try server.request()
    request.validators.entityTag = tag

    #expect(await worker.failure(of: request)?.reason == .refused)
    #expect(server.requests.isEmpty)
  }

  @Test func `puts a chunked body together and leaves its trailers out`() async throws {
    var response = LoopbackResponse.chunked([[1, 2], [3]])
    response.steps = [
      .send(
        LoopbackResponse.header(200, ["Transfer-Encoding: chunked"])
          + Array("2\r\nab\r\n1\r\nc\r\n0\r\nETag: \"late\"\r\n\r\n".utf8)
      )
    ]
    let server = try LoopbackServer.always(response)

    let reply = try await worker.fetch(try server.request())

    #expect(reply.body == Array("abc".utf8))
    #expect(reply.header.validators == Validators())
    #expect(reply.header.contentLength == nil)
  }

  @Test func `passes over interim responses`() async throws {
    let interim = LoopbackResponse.header(103, ["ETag: \"early\""])
    let final = LoopbackResponse.header(200, ["Content-Length: 1"]) + [7]
    let server = try LoopbackServer.always(LoopbackResponse([.send(interim + final)]))

    let reply = try await worker.fetch(try server.request())

    #expect(reply.header.validators == Validators())
    #expect(reply.body == [7])
  }

  @Test func `escapes what a request line cannot hold`() async throws {
    let server = try LoopbackServer.always(.whole())

    _ = try await worker.fetch(try server.request("/caf\u{E9} 1%2F2.jpg"))

    #expect(server.requests.map(\.target) == ["/caf%C3%A9%201%2F2.jpg"])
  }

  @Test(arguments: [
    ("\"x-gzip\"", "\"x-gzip\", \"x\""), ("W/\"x-br\"", "W/\"x-br\", W/\"x\""),
    ("\"x--gzip\"", "\"x--gzip\", \"x\""), ("\"x;gzip\"", "\"x;gzip\", \"x\""),
    ("\"x\"", "\"x\""), ("\"gzip\"", "\"gzip\""), ("x-gzip", "x-gzip"),
  ])
  func `sends both spellings of a tag that is marked for a compressed body`(
    tag: String,
    sent: String
  ) async throws {
    let server = try LoopbackServer.always(.whole(status: 304))
    var request = try server.request()
    request.validators = Validators(entityTag: tag, lastModified: nil)

    let reply = try await NetworkWorker.testing().fetch(request)

    #expect(server.requests.first?["If-None-Match"] == sent)
    #expect(reply.header.validators.entityTag == tag)
  }

  @Test(arguments: [
    ("Sat, 16 Nov 2999 19:11:00 GMT", false), ("Sat, 16 Nov 2019 19:11:00 GMT", true),
    ("Saturday, 16-Nov-99 19:11:00 GMT", true), ("no date", true),
  ])
  func `sends no validators of a server that dates its response into the future`(
    date: String,
    isSent: Bool
  ) async throws {
    let server = try LoopbackServer.always(.whole())
    var request = try server.request()
    request.validators = Validators(entityTag: "\"a\"", lastModified: date)

    _ = try await NetworkWorker.testing().fetch(request)

    #expect(server.requests.first?["If-Modified-Since"] == (isSent ? date : nil))
    #expect(server.requests.first?["If-None-Match"] == (isSent ? "\"a\"" : nil))
  }
}
