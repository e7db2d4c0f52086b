import CurlNetwork
import Models
import TestSupport
import Testing
import Workers

@Suite(.timeLimit(.minutes(60)))
struct CancellationTests {
  private let worker = NetworkWorker.testing()

  @Test func `asks nothing when it is cancelled before the start`() async throws {
    let server = try LoopbackServer.always(.whole())
    let request = try server.request()
    let gate = Gate()

    let task = Task {
      await gate.passed()
      return await worker.failure(of: request)
    }
    task.cancel()
    gate.open()

    #expect(await task.value?.reason == .cancelled)
    #expect(server.requests.isEmpty)
  }

  @Test func `ends a fetch in flight`() async throws {
    let gate = Gate()
    defer { gate.open() }
    let server = try LoopbackServer.always(.whole().held(by: gate))
    let request = try server.request()

    let task = Task { await worker.failure(of: request) }
    await server.arrivals.reaches(1)
    task.cancel()

    #expect(await task.value?.reason == .cancelled)
  }

  @Test func `ends a fetch that waits for its turn`() async throws {
    let worker = NetworkWorker.testing(limits: ConnectionLimits(jobs: 1))
    let gate = Gate()
    let server = try LoopbackServer.always(.whole().held(by: gate))
    let request = try server.request()

    let first = Task { await worker.failure(of: request) }
    await server.arrivals.reaches(1)
    let second = Task { await worker.failure(of: request) }
    second.cancel()
    let outcome = await second.value
    gate.open()

    #expect(outcome?.reason == .cancelled)
    #expect(await first.value == nil)
    #expect(server.arrivals.count == 1)
  }

  @Test func `lets a cancellation after the end change nothing`() async throws {
    let server = try LoopbackServer.always(.whole([1]))
    let request = try server.request()
    let done = Gate()
    let cancelled = Gate()

    let task = Task {
      let reply = try await worker.fetch(request)
      done.open()
      await cancelled.passed()
      return reply.body
    }
    await done.passed()
    task.cancel()
    cancelled.open()

    #expect(try await task.value == [1])
    #expect(try await worker.fetch(request).body == [1])
    #expect(server.connections.count == 1)
  }

  @Test func `ends a reader that waits for more`() async throws {
    let gate = Gate()
    defer { gate.open() }
    let server = try LoopbackServer.always(.halted([1], [2], by: gate))
    let body = try await worker.open(try server.request()).body
    _ = try await body.next()

    let reading = Gate()
    let task = Task {
      reading.open()
      return try await body.next()
    }
    await reading.passed()
    task.cancel()

    let error = await #expect(throws: NetworkError.self) { try await task.value }
    #expect(error?.reason == .cancelled)
  }

  @Test func `ends the transfer of a body that is dropped`() async throws {
    let server = try LoopbackServer.always(.endless())

    do {
      let body = try await worker.open(try server.request(limit: .max)).body
      _ = try await body.next()
    }

    await server.brokenSends.reaches(1)
    #expect(server.arrivals.count == 1)
  }

  @Test func `fails what is in flight when it is shut down`() async throws {
    let gate = Gate()
    defer { gate.open() }
    let server = try LoopbackServer { request in
      request.target == "/body" ? .halted([1], [2], by: gate) : .whole().held(by: gate)
    }
    let body = try await worker.open(try server.request("/body")).body
    let request = try server.request()
    let fetches = (0..<10).map { _ in Task { await worker.failure(of: request) } }
    await server.arrivals.reaches(6)

    worker.shutDown()

    for fetch in fetches { #expect(await fetch.value?.reason == .cancelled) }
    #expect(try await body.next() == [1])
    let error = await #expect(throws: NetworkError.self) { try await body.next() }
    #expect(error?.reason == .cancelled)
    #expect(await worker.failure(of: request)?.reason == .cancelled)
  }

  @Test func `survives its worker in a body that is still read`() async throws {
    let server = try LoopbackServer.always(.endless())

    let body = try await NetworkWorker.testing().open(try server.request(limit: .max)).body

    let error = await #expect(throws: NetworkError.self) { try await body.all() }
    #expect(error?.reason == .cancelled)
  }

  @Test func `answers each of many transfers, whichever are cancelled`() async throws {
    let body = [UInt8](repeating: 5, count: 5000)
    let server = try LoopbackServer.always(.whole(body))
    let request = try server.request()
    var random = SeededNumbers(seed: 20_261_121)

    let tasks = (0..<300).map { _ in Task { await worker.failure(of: request)?.reason } }
    for index in tasks.indices.shuffled(using: &random).prefix(100) { tasks[index].cancel() }
    var reasons: [NetworkError.Reason?] = []
    for task in tasks { reasons.append(await task.value) }

    #expect(reasons.allSatisfy { $0 == nil || $0 == .cancelled })
    #expect(reasons.count { $0 == nil } >= 200)
    #expect(try await worker.fetch(request).body == body)
  }
}

/// Random numbers that are the same in every run (SplitMix64).
private struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
