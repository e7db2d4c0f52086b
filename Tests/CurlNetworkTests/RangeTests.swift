import CurlNetwork
import Foundation
import Models
import TestSupport
import Testing
import Workers

@Suite(.timeLimit(.minutes(60)))
struct RangeTests {
  private let worker = NetworkWorker.testing()
  private let body: [UInt8] = [1, 2, 3, 4, 5]

  @Test func `asks for the rest and says which part came`() async throws {
    let server = try server(tag: "\"a\"")
    var request = try server.request(limit: 3)
    request.range = NetworkRange(offset: 2, validator: "\"a\"")

    let reply = try await worker.fetch(request)

    #expect(server.requests.first?["Range"] == "bytes=2-")
    #expect(server.requests.first?["If-Range"] == "\"a\"")
    #expect(reply.header.status == 206)
    #expect(reply.header.contentRange == ContentRange(bytes: 2...4, total: 5))
    #expect(reply.header.contentLength == 3)
    #expect(reply.body == [3, 4, 5])
  }

  @Test(arguments: ["\"b\"", "W/\"a\""])
  func `gets the whole when the validator does not hold`(tag: String) async throws {
    let server = try server(tag: tag)
    var request = try server.request()
    request.range = NetworkRange(offset: 2, validator: tag == "\"b\"" ? "\"a\"" : tag)

    let response = try await worker.open(request)

    #expect(response.header.status == 200)
    #expect(response.header.contentRange == nil)
    #expect(try await response.body.all() == body)
  }

  @Test func `tells that there is no rest, and how long the whole is`() async throws {
    let server = try server(tag: "\"a\"")
    var request = try server.request()
    request.range = NetworkRange(offset: 5, validator: "\"a\"")

    let header = try await worker.fetch(request).header

    #expect(header.status == 416)
    #expect(header.contentRange == ContentRange(bytes: nil, total: 5))
  }

  @Test func `counts the part against the limit`() async throws {
    let server = try server(tag: "\"a\"")
    var request = try server.request(limit: 2)
    request.range = NetworkRange(offset: 2, validator: "\"a\"")

    #expect(await worker.failure(of: request)?.reason == .tooLarge(limit: 2))
  }

  @Test func `passes on what a Content-Range says, true or not`() async throws {
    let server = try LoopbackServer.always(
      .whole([9], status: 206, fields: ["Content-Range: bytes 0-4/5"])
    )
    var request = try server.request()
    request.range = NetworkRange(offset: 2, validator: "\"a\"")

    #expect(
      try await worker.fetch(request).header.contentRange == ContentRange(bytes: 0...4, total: 5)
    )
  }

  @Test func `takes no part for the whole`() async throws {
    let server = try LoopbackServer.always(
      .whole([3, 4], status: 206, fields: ["Content-Range: bytes 2-3/5"])
    )
    let request = try server.request()

    let error = await #expect(throws: NetworkError.self) { try await worker.open(request) }

    #expect(await worker.failure(of: request)?.reason == .other)
    #expect(error?.message == "the server answers with a part that was not asked for")
    #expect(server.arrivals.count == 2)
  }

  @Test func `refuses a validator that is not a line of bytes`() async throws {
    let server = try server(tag: "\"a\"")
    var request = try server.request()
    request.range = NetworkRange(offset: 2, validator: "\"a\"\r\nX-Evil: 1")

    #expect(await worker.failure(of: request)?.reason == .refused)
    #expect(server.requests.isEmpty)
  }

  private func server(tag: String) throws -> LoopbackServer {
    try LoopbackServer { [body] request in .resumable(body, tag: tag, to: request) }
  }
}
