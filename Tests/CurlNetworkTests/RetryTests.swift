import CurlNetwork
import Foundation
import Models
import TestSupport
import Testing
import Workers

@Suite(.timeLimit(.minutes(60)))
struct RetryTests {
  private let worker = NetworkWorker.testing()

  @Test(arguments: [408, 429, 500, 502, 503, 504])
  func `asks again when the answer may be another soon`(status: Int) async throws {
    let failing = LoopbackResponse.whole([9, 9], status: status)
    let server = try LoopbackServer.inTurn(failing, failing, .whole([1]))

    let reply = try await worker.fetch(try server.request())

    #expect(reply.header.status == 200)
    #expect(reply.body == [1])
    #expect(server.arrivals.count == 3)
    #expect(server.connections.count == 1)
  }

  @Test
  func `a request that somebody waits for is repeated only when the server asks for patience`()
    async throws
  {
    for status in [500, 502, 504] {
      let server = try LoopbackServer.always(.whole([9], status: status))
      var request = try server.request()
      request.isAwaited = true
      #expect(try await worker.fetch(request).header.status == status)
      #expect(server.arrivals.count == 1)
    }
    for status in [429, 503] {
      let server = try LoopbackServer.inTurn(.whole([9], status: status), .whole([1]))
      var request = try server.request()
      request.isAwaited = true
      #expect(try await worker.fetch(request).body == [1])
    }
    let server = try LoopbackServer.inTurn(.hangUp, .whole([1]))
    var request = try server.request()
    request.isAwaited = true
    #expect(await worker.failure(of: request)?.reason == .broken)
    let cut = try LoopbackServer.inTurn(.truncated([1], declaring: 2), .whole([1, 2]))
    request = try cut.request()
    request.isAwaited = true
    #expect(try await worker.fetch(request).body == [1, 2])
  }

  @Test func `tells why it waits, for how long, and when it has waited`() async throws {
    // libcurl itself repeats a request without an answer, except on a new connection.
    let server = try LoopbackServer.inTurn(
      .hangUp,
      .whole([9], status: 500),
      .whole([9], status: 503),
      .whole([1])
    )
    let waits = Locked<[NetworkWaits.Wait?]>([])
    var request = try server.request()
    request.waits = NetworkWaits { wait in waits.withLock { $0.append(wait) } }

    #expect(try await worker.fetch(request).body == [1])
    let told = waits.snapshot
    #expect(told.map { $0?.status } == [nil, nil, 500, nil, 503, nil])
    #expect(told.map { $0?.cause } == [.noAnswer, nil, nil, nil, nil, nil])
    #expect(told.map { $0?.retry } == [1, nil, 2, nil, 3, nil])
    #expect(told.compactMap { $0?.retries } == [4, 4, 4])
  }

  @Test(arguments: [400, 401, 403, 404, 405, 410, 416, 451, 501, 505])
  func `takes other answers as they are`(status: Int) async throws {
    let server = try LoopbackServer.always(.whole([9], status: status))

    let reply = try await worker.fetch(try server.request())

    #expect(reply.header.status == status)
    #expect(reply.body == [9])
    #expect(server.arrivals.count == 1)
  }

  @Test func `gives the last answer when all are alike`() async throws {
    let server = try LoopbackServer.always(.whole([9], status: 502))

    let reply = try await worker.fetch(try server.request())
    let response = try await worker.open(try server.request())

    #expect(reply.header.status == 502)
    #expect(reply.body == [9])
    #expect(response.header.status == 502)
    #expect(try await response.body.all() == [9])
    #expect(server.arrivals.count == 10)
  }

  @Test func `asks again after a connection that broke, before and after the header`()
    async throws
  {
    let server = try LoopbackServer.inTurn(
      .hangUp,
      .truncated([1], declaring: 2),
      .whole([1, 2])
    )

    #expect(try await worker.fetch(try server.request()).body == [1, 2])
    #expect(server.arrivals.count == 3)
  }

  @Test func `gives the last failure when all are alike`() async throws {
    let server = try LoopbackServer.always(.truncated([1], declaring: 2))

    #expect(await worker.failure(of: try server.request())?.reason == .broken)
    #expect(server.arrivals.count == 5)
  }

  @Test func `opens a body only when its header is a good one`() async throws {
    let server = try LoopbackServer.inTurn(
      .hangUp,
      .whole([9, 9, 9], status: 500),
      .whole([1, 2])
    )

    let response = try await worker.open(try server.request())

    #expect(response.header.status == 200)
    #expect(try await response.body.all() == [1, 2])
    #expect(server.arrivals.count == 3)
  }

  @Test func `leaves a body that breaks to its reader`() async throws {
    let server = try LoopbackServer.always(.truncated([1], declaring: 2))

    let body = try await worker.open(try server.request()).body
    let error = await #expect(throws: NetworkError.self) { try await body.all() }

    #expect(error?.reason == .broken)
    #expect(server.arrivals.count == 1)
  }

  @Test func `counts the bytes of all tries`() async throws {
    let failing = LoopbackResponse.header(500, ["Content-Length: 2"]) + [9, 9]
    let good = LoopbackResponse.header(200, ["Content-Length: 1"]) + [1]
    let responses = [LoopbackResponse([.send(failing)]), LoopbackResponse([.send(good)])]
    let bytes = failing.count + good.count

    let fetched = try LoopbackServer.inTurn(responses[0], responses[1])
    let opened = try LoopbackServer.inTurn(responses[0], responses[1])
    let body = try await worker.open(try opened.request()).body
    _ = try await body.all()

    #expect(try await worker.fetch(try fetched.request()).wireBytes == bytes)
    #expect(body.wireBytes == bytes)
  }

  @Test func `cuts off the long body of an answer that is not wanted`() async throws {
    let endless = LoopbackResponse(
      [.send(LoopbackResponse.header(500, [])), .sendForever([UInt8](repeating: 1, count: 9999))],
      closes: true
    )
    let server = try LoopbackServer.inTurn(endless, .whole([1]))

    #expect(try await worker.fetch(try server.request(limit: 1)).body == [1])
  }

  @Test func `asks again, and each of many at once, when every second answer is bad`() async throws
  {
    let turn = Locked(0)
    let server = try LoopbackServer { request in
      let number = turn.withLock { turn in
        turn += 1
        return turn
      }
      return number.isMultiple(of: 2) ? .hangUp : .whole(Array(request.target.utf8))
    }
    let requests = try (0..<60).map { try server.request("/\($0)") }
    let fetches = requests.map { request in Task { try await worker.fetch(request).body } }

    for (request, fetch) in zip(requests, fetches) {
      // A transfer fails after five unlucky attempts in a row. Every other transfer must receive its own body.
      do {
        #expect(try await fetch.value == Array(request.address.path.utf8))
      } catch let error as NetworkError {
        #expect(error.reason == .broken)
      }
    }
  }

  @Test func `gives up on a host where nothing succeeds without trying each transfer again`()
    async throws
  {
    let server = try LoopbackServer.always(.whole(status: 500))
    for number in 0..<30 { _ = try await worker.fetch(try server.request("/\(number)")) }

    #expect(server.arrivals.count == 10 * 5 + 20)
  }

  @Test func `waits before a try that follows others`() async throws {
    var policy = RetryPolicy.slow
    policy.firstDelay = .milliseconds(40)
    let worker = NetworkWorker.testing(retries: policy)
    let server = try LoopbackServer.always(.whole())
    var later = try server.request("/later")
    later.attempt = 3

    let request = later
    let fetch = Task { try await worker.fetch(request).header.status }
    _ = try await worker.fetch(try server.request("/first"))

    #expect(try await fetch.value == 200)
    #expect(server.requests.map(\.target) == ["/first", "/later"])
  }

  @Test func `lets go of a transfer that waits for its next try`() async throws {
    let worker = NetworkWorker.testing(limits: ConnectionLimits(jobs: 1), retries: .slow)
    let server = try LoopbackServer { request in
      .whole(status: request.target == "/bad" ? 500 : 200)
    }
    let request = try server.request("/bad")
    let fetch = Task { await worker.failure(of: request) }
    await server.arrivals.reaches(1)
    // With one transfer at a time, this one starts when the other one has begun to wait.
    _ = try await worker.fetch(try server.request("/good"))
    fetch.cancel()

    #expect(await fetch.value?.reason == .cancelled)
    #expect(server.arrivals.count == 2)
  }

  @Test func `ends what waits for its next try when it is shut down`() async throws {
    let worker = NetworkWorker.testing(limits: ConnectionLimits(jobs: 1), retries: .slow)
    let server = try LoopbackServer { request in
      .whole(status: request.target == "/bad" ? 500 : 200)
    }
    let request = try server.request("/bad")
    let fetch = Task { await worker.failure(of: request) }
    await server.arrivals.reaches(1)
    _ = try await worker.fetch(try server.request("/good"))
    worker.shutDown()

    #expect(await fetch.value?.reason == .cancelled)
  }

  @Test func `does not begin another try when its time is over`() async throws {
    var policy = RetryPolicy.slow
    policy.budget = .seconds(1800)
    let worker = NetworkWorker.testing(retries: policy)
    let server = try LoopbackServer.always(.whole(status: 500))

    #expect(try await worker.fetch(try server.request()).header.status == 500)
    #expect(server.arrivals.count == 1)
  }
}
