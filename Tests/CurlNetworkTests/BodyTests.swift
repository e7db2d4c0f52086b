import Foundation
import Models
import TestSupport
import Testing
import Workers

@testable import CurlNetwork

@Suite(.timeLimit(.minutes(60)))
struct BodyTests {
  private let worker = NetworkWorker.testing()

  @Test func `reports a body that ends too early`() async throws {
    let server = try LoopbackServer.always(.truncated([1, 2, 3], declaring: 10))

    #expect(await worker.failure(of: try server.request())?.reason == .broken)
  }

  @Test func `reports a connection that ends before the header`() async throws {
    let server = try LoopbackServer.always(.hangUp)

    #expect(await worker.failure(of: try server.request())?.reason == .broken)
  }

  @Test func `takes a body of just the limit and refuses one more byte`() async throws {
    let server = try LoopbackServer.always(.chunked([[1, 2], [3]]))

    let reply = try await worker.fetch(try server.request(limit: 3))
    let failure = await worker.failure(of: try server.request(limit: 2))

    #expect(reply.body == [1, 2, 3])
    #expect(failure?.reason == .tooLarge(limit: 2))
  }

  @Test func `refuses a body by its declared length without waiting for it`() async throws {
    let gate = Gate()
    defer { gate.open() }
    let server = try LoopbackServer.always(.halted([1], [2, 3], by: gate))

    #expect(await worker.failure(of: try server.request(limit: 2))?.reason == .tooLarge(limit: 2))
  }

  @Test func `unpacks a compressed body when compression is accepted`() async throws {
    let packed = try #require(Data(base64Encoded: Self.moons))
    let server = try LoopbackServer.always(
      .whole(Array(packed), fields: ["Content-Encoding: gzip"])
    )
    var request = try server.request(limit: 220)
    request.acceptsCompression = true

    let reply = try await worker.fetch(request)

    #expect(reply.body == Array(String(repeating: "many moons ", count: 20).utf8))
    #expect(reply.header.contentLength == packed.count)
    #expect(server.requests.first?["Accept-Encoding"]?.contains("gzip") == true)
  }

  @Test func `counts a compressed body unpacked`() async throws {
    let packed = try #require(Data(base64Encoded: Self.bomb))
    let server = try LoopbackServer.always(
      .whole(Array(packed), fields: ["Content-Encoding: gzip"])
    )
    var request = try server.request(limit: 100_000)
    request.acceptsCompression = true

    #expect(await worker.failure(of: request)?.reason == .tooLarge(limit: 100_000))
  }

  @Test func `ends a header that never ends`() async throws {
    let line = Array("X-Again: \(String(repeating: "a", count: 1000))\r\n".utf8)
    let start = Array("HTTP/1.1 200 OK\r\n".utf8)
    let server = try LoopbackServer.always(
      LoopbackResponse([.send(start), .sendForever(line)], closes: true)
    )

    let failure = await worker.failure(of: try server.request())

    #expect(failure?.message == "the header is larger than 65536 bytes")
  }

  @Test func `ends interim responses that never end`() async throws {
    let interim = LoopbackResponse.header(103, ["X-Again: \(String(repeating: "a", count: 1000))"])
    let server = try LoopbackServer.always(LoopbackResponse([.sendForever(interim)], closes: true))

    let failure = await worker.failure(of: try server.request())

    #expect(failure?.message == "the header is larger than 65536 bytes")
  }

  @Test func `ends trailers that never end`() async throws {
    let start = LoopbackResponse.header(200, ["Transfer-Encoding: chunked"]) + Array("0\r\n".utf8)
    let line = Array("X-Again: \(String(repeating: "a", count: 1000))\r\n".utf8)
    let server = try LoopbackServer.always(
      LoopbackResponse([.send(start), .sendForever(line)], closes: true)
    )

    #expect(await worker.failure(of: try server.request()) != nil)
    await server.brokenSends.reaches(1)
  }

  @Test func `unpacks a body that was compressed without being asked to, and says so`() async throws
  {
    let packed = try #require(Data(base64Encoded: Self.moons))
    let server = try LoopbackServer.always(
      .whole(Array(packed), fields: ["Content-Encoding: gzip"])
    )

    let reply = try await worker.fetch(try server.request())

    #expect(server.requests.first?["Accept-Encoding"] == "identity")
    #expect(reply.header.isEncoded)
    #expect(reply.body == Array(String(repeating: "many moons ", count: 20).utf8))
  }

  @Test(arguments: [true, false])
  func `takes a body as it is whose coding is none`(acceptsCompression: Bool) async throws {
    let server = try LoopbackServer.always(
      .whole([1, 2], fields: ["Content-Encoding: aws-chunked"])
    )
    var request = try server.request(limit: 2)
    request.acceptsCompression = acceptsCompression

    let reply = try await worker.fetch(request)
    let response = try await worker.open(request)

    #expect(reply.body == [1, 2])
    #expect(!reply.header.isEncoded)
    #expect(try await response.body.all() == [1, 2])
    #expect(server.requests.last?["Accept-Encoding"] == "identity")
  }

  @Test(arguments: ["gzip", "br", "deflate"])
  func `takes a body as it is that does not have the coding of its header`(
    coding: String
  ) async throws {
    let body = Array("<?xml version='1.0'?><rss/>".utf8)
    let server = try LoopbackServer.always(.whole(body, fields: ["Content-Encoding: \(coding)"]))
    var request = try server.request()
    request.acceptsCompression = true

    let reply = try await worker.fetch(request)
    let streamed = try await worker.open(request).body.all()

    #expect(reply.body == body)
    #expect(streamed == body)
    #expect(server.requests.last?["Accept-Encoding"] == "identity")
  }

  @Test func `gives what libcurl does not unpack as it came`() async throws {
    let packed = try #require(Data(base64Encoded: Self.moons))
    let two = Array(packed + packed)
    let server = try LoopbackServer.always(.whole(two, fields: ["Content-Encoding: gzip"]))
    var request = try server.request()
    request.acceptsCompression = true

    let reply = try await worker.fetch(request)
    let failure = await #expect(throws: NetworkError.self) {
      _ = try await worker.open(request).body.all()
    }
    request.decompresses = false
    let streamed = try await worker.open(request).body.all()

    #expect(reply.body == two)
    #expect(failure?.cause == .badEncoding && failure?.reason == .broken)
    #expect(streamed == two)
  }

  /// "many moons " twenty times, packed with gzip.
  private static let moons = "H4sIAAAAAAACA8tNzKtUyM3PzytWyB1uTAAb9TON3AAAAA=="

  /// 262,144 zero bytes, packed with gzip.
  private static let bomb =
    "H4sIAAAAAAACA+3BMQEAAADCoPVP7W0HoAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA3gAi6g7iAAAEAA=="
}

struct BodyBufferTests {
  private func buffer() throws -> BodyBuffer {
    let address = try #require(WebAddress("http://a.b/c"))
    return BodyBuffer(for: NetworkRequest(address: address, reach: .anywhere, byteLimit: 100))
  }

  @Test func `has something for its reader when bytes have come that no reader has taken`() throws {
    let buffer = try buffer()
    let before = buffer.hasNext
    _ = [1, 2].withUnsafeBytes { buffer.append($0) }
    let between = buffer.hasNext
    _ = buffer.take()

    #expect([before, between, buffer.hasNext] == [false, true, false])
  }

  @Test(arguments: [true, false])
  func `has the end for its reader, however it came`(isWhole: Bool) throws {
    let buffer = try buffer()
    let error = NetworkError(reason: .other, address: buffer.address, message: "")

    buffer.finish(isWhole ? .success(()) : .failure(error))

    #expect(buffer.hasNext)
  }
}
