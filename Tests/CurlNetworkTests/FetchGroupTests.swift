import Models
import TestSupport
import Testing
import Workers

@testable import CurlNetwork

@Suite(.timeLimit(.minutes(60)))
struct FetchGroupTests {
  private let answers = Locked<[Int: [Result<NetworkReply, NetworkError>]]>([:])
  private let answered = Tally()

  private func group(of worker: NetworkWorker) async -> any FetchGroup {
    await worker.group { [answers, answered] number, answer in
      answers.withLock { $0[number, default: []].append(answer) }
      answered.add()
    }
  }

  private func ask(_ group: any FetchGroup, _ requests: [Int: NetworkRequest]) {
    group.ask(requests.map { NumberedRequest(number: $0, request: $1) })
  }

  private var bodies: [Int: [[UInt8]?]] {
    answers.withLock { $0.mapValues { $0.map { try? $0.get().body } } }
  }

  private var reasons: [Int: [NetworkError.Reason?]] {
    answers.withLock { answers in
      answers.mapValues { answers in
        answers.map { answer in
          if case .failure(let error) = answer { error.reason } else { nil }
        }
      }
    }
  }

  @Test func `answers each request once, by its number`() async throws {
    let worker = NetworkWorker.testing()
    let server = try LoopbackServer { request in
      .whole([UInt8(request.target.dropFirst().count)])
    }
    let group = await group(of: worker)
    ask(group, [7: try server.request("/a"), 3: try server.request("/abc")])
    ask(group, [5: try server.request("/abcde")])
    await answered.reaches(3)

    #expect(bodies == [7: [[1]], 3: [[3]], 5: [[5]]])
  }

  @Test func `answers what fails with its failure`() async throws {
    let worker = NetworkWorker.testing()
    let server = try LoopbackServer.always(.whole([1, 2, 3]))
    var request = try server.request()
    request.byteLimit = 2
    let group = await group(of: worker)
    ask(group, [1: request])
    await answered.reaches(1)

    #expect(reasons == [1: [.tooLarge(limit: 2)]])
  }

  @Test func `a cancelled one ends what runs and what waits, and nothing of others`() async throws {
    let worker = NetworkWorker.testing(limits: ConnectionLimits(jobs: 2))
    let gate = Gate()
    let server = try LoopbackServer.always(.whole([1]).held(by: gate))
    let group = await group(of: worker)
    ask(group, [1: try server.request()])
    await server.arrivals.reaches(1)
    let request = try server.request()
    let other = Task { await worker.failure(of: request) }
    await server.arrivals.reaches(2)
    ask(group, [2: request, 3: request])
    group.cancel()
    await answered.reaches(3)
    gate.open()

    #expect(reasons == [1: [.cancelled], 2: [.cancelled], 3: [.cancelled]])
    #expect(await other.value == nil)
  }

  @Test func `what is asked of a cancelled one is cancelled`() async throws {
    let worker = NetworkWorker.testing()
    let server = try LoopbackServer.always(.whole())
    let group = await group(of: worker)
    group.cancel()
    ask(group, [1: try server.request()])
    await answered.reaches(1)

    #expect(reasons == [1: [.cancelled]])
    #expect(server.requests.isEmpty)
  }

  @Test func `what the worker's end finds under way is cancelled, and what is asked then`()
    async throws
  {
    let worker = NetworkWorker.testing()
    let gate = Gate()
    defer { gate.open() }
    let server = try LoopbackServer.always(.whole().held(by: gate))
    let group = await group(of: worker)
    ask(group, [1: try server.request()])
    await server.arrivals.reaches(1)
    worker.shutDown()
    ask(group, [2: try server.request()])
    await answered.reaches(2)

    #expect(reasons == [1: [.cancelled], 2: [.cancelled]])
  }

  @Test func `begins no more while much of what came is not taken`() async throws {
    let worker = NetworkWorker.testing()
    let body = [UInt8](repeating: 1, count: TransferLimits.untakenBytes / 8)
    let server = try LoopbackServer.always(.whole(body))
    let group = await group(of: worker)
    let request = try server.request()
    let most = TransferLimits.groupUnderWay
    ask(group, Dictionary(uniqueKeysWithValues: (0..<most + 20).map { ($0, request) }))
    await answered.reaches(most)
    let begun = server.requests.count
    group.took(bytes: most * body.count)
    await answered.reaches(most + 20)

    #expect(begun == most)
    #expect(bodies.count == most + 20)
    #expect(bodies.values.allSatisfy { $0 == [body] })
  }

  @Test func `one whose reader has taken nothing can be cancelled`() async throws {
    let worker = NetworkWorker.testing()
    let body = [UInt8](repeating: 1, count: TransferLimits.untakenBytes / 8)
    let server = try LoopbackServer.always(.whole(body))
    let group = await group(of: worker)
    let request = try server.request()
    let most = TransferLimits.groupUnderWay
    ask(group, Dictionary(uniqueKeysWithValues: (0..<most + 20).map { ($0, request) }))
    await answered.reaches(most)
    group.cancel()
    await answered.reaches(most + 20)

    #expect(reasons.values.count { $0 == [.cancelled] } == 20)
    #expect(server.requests.count == most)
  }
}
