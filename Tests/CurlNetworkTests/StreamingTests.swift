import CurlNetwork
import Models
import TestSupport
import Testing
import Workers

@Suite(.timeLimit(.minutes(60)))
struct StreamingTests {
  private let worker = NetworkWorker.testing()

  @Test func `answers with the header before the body has come`() async throws {
    let gate = Gate()
    let server = try LoopbackServer.always(.halted([], [1, 2], by: gate))

    let response = try await worker.open(try server.request())
    gate.open()

    #expect(response.header.status == 200)
    #expect(response.header.contentLength == 2)
    #expect(try await response.body.all() == [1, 2])
    #expect(try await response.body.next() == nil)
  }

  @Test func `hands over bytes as they arrive`() async throws {
    let gate = Gate()
    let server = try LoopbackServer.always(.halted([1], [2], by: gate))

    let body = try await worker.open(try server.request()).body
    let first = try await body.next()
    gate.open()

    #expect(first == [1])
    #expect(try await body.all() == [2])
    #expect(body.wireBytes == LoopbackResponse.header(200, ["Content-Length: 2"]).count + 2)
  }

  @Test func `holds a transfer up while no reader reads, and then loses nothing`() async throws {
    let piece = (0..<1009).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    var content: [UInt8] = []
    for _ in 0..<40_000 { content += piece }
    let server = try LoopbackServer.always(.whole(content))

    let body = try await worker.open(try server.request(limit: content.count)).body
    await server.blockedSends.reaches(1)
    let sentUnread = server.sentBytes.count
    let received = try await body.all()

    #expect(sentUnread < content.count / 2)
    #expect(received == content)
  }

  @Test func `does not call a transfer stalled that waits for its reader`() async throws {
    var timeouts = NetworkTimeouts()
    timeouts.stall = .seconds(4)
    let worker = NetworkWorker.testing(timeouts: timeouts)
    let size = 32_000_000
    let server = try LoopbackServer.always(.whole([UInt8](repeating: 1, count: size)))

    let body = try await worker.open(try server.request(limit: size)).body
    // Tenths of a second: longer than a transfer may stall.
    await server.blockedSends.reaches(60)

    #expect(try await body.all().count == size)
  }

  @Test func `gives the bytes that came before a transfer broke`() async throws {
    let server = try LoopbackServer.always(.truncated([1, 2, 3], declaring: 9))

    let body = try await worker.open(try server.request()).body
    let bytes = try await body.next()

    #expect(bytes == [1, 2, 3])
    let error = await #expect(throws: NetworkError.self) { try await body.next() }
    #expect(error?.reason == .broken)
  }

  @Test func `ends a streamed body that grows too large`() async throws {
    let server = try LoopbackServer.always(.endless())

    let body = try await worker.open(try server.request(limit: 1_000_000)).body

    let error = await #expect(throws: NetworkError.self) { try await body.all() }
    #expect(error?.reason == .tooLarge(limit: 1_000_000))
  }

  @Test func `reports a failure before the header to whoever opens`() async throws {
    let server = try LoopbackServer.always(.hangUp)
    let request = try server.request()

    let error = await #expect(throws: NetworkError.self) { try await worker.open(request) }
    #expect(error?.reason == .broken)
  }
}
