import FoundationEssentials
import Models
import Sync
import TestSupport
import Testing
import Workers

/// Transfers that break off in the middle of an original.
@Suite(.timeLimit(.minutes(60)))
struct BrokenOriginalTests {
  private let jpeg = PictureBytes.jpeg
  private let strong = OriginalBench.strong
  private let broken = Failure.network(NetworkError(.broken, at: .original("moon")))

  @Test(arguments: [NetworkError.Reason.broken, .timedOut])
  func `goes on in the same fetch`(_ reason: NetworkError.Reason) async throws {
    var first = FakeReply.broken(jpeg, at: 20, strong)
    first.breakage = reason
    let bench = OriginalBench(first, .rest(of: jpeg, from: 20, strong))
    var told: [Int] = []

    let fetched = try await bench.fetch { received, _ in told.append(received) }

    #expect(bench.offsets == [nil, 20])
    #expect(bench.network.requests.map(\.attempt) == [0, 1])
    #expect(bench.committed == [jpeg])
    #expect(told == [0, 20, 20, jpeg.count])
    #expect(fetched.resumedFrom == 0)
    #expect(fetched.wireBytes == 2 * FakeReply.headerBytes + jpeg.count)
  }

  @Test func `numbers the version of the bytes, which only a resumed transfer keeps`() async throws
  {
    let other = PictureBytes.longJPEG(9_000)
    var rest = FakeReply.rest(of: jpeg, from: 20, strong)
    rest.chunks = [Array(jpeg[20..<30])]
    rest.breakage = .broken
    let bench = OriginalBench(.broken(jpeg, at: 20, strong), rest, .picture(other))
    let request = OriginalRequest(imageID: 1, address: .original("moon"), reach: .anywhere)
    var told: [[Int]] = []

    _ = try await bench.worker.fetch(request) { told.append([$0.version, $0.received]) }

    let first = try #require(told.first?.first)
    let last = try #require(told.last?.first)
    #expect(first < last)
    #expect(told.dropLast(2).map(\.[0]) == [first, first, first, first])
    #expect(told.suffix(2) == [[last, 0], [last, other.count]])
  }

  @Test func `gives up after five transfers that bring nothing, and keeps what is here`() async {
    let rest = FakeReply(
      status: 206,
      validators: strong,
      contentRange: ContentRange(bytes: 20...jpeg.count - 1, total: jpeg.count),
      breakage: .broken
    )
    let bench = OriginalBench(.broken(jpeg, at: 20, strong), rest)

    await #expect(throws: broken) { try await bench.fetch() }

    #expect(bench.network.requests.map(\.attempt) == [0, 1, 2, 3, 4])
    #expect(bench.store.events == [.suspended(imageID: 1, length: 20)])
  }

  @Test func `counts from zero after a transfer that has brought it further`() async throws {
    let picture = PictureBytes.longJPEG(400_000)
    let steps = [100_000, 100_001, 200_000, 200_001]
    let replies = zip([0] + steps, steps + [picture.count]).map { start, end in
      var reply = FakeReply.rest(of: picture, from: start, strong)
      reply.chunks = [Array(picture[start..<end])]
      reply.breakage = end < picture.count ? .broken : nil
      if start == 0 { reply.status = 200 }
      return reply
    }
    let bench = OriginalBench(inTurn: replies)

    _ = try await bench.fetch()

    #expect(bench.network.requests.map(\.attempt) == [0, 1, 2, 1, 2])
    #expect(bench.committed == [picture])
  }

  @Test func `does not go on for ever with a server that sends the same beginning`() async {
    let picture = PictureBytes.longJPEG(400_000)
    let bench = OriginalBench(.broken(picture, at: 300_000, Validators()))

    await #expect(throws: broken) { try await bench.fetch() }

    #expect(bench.offsets == [nil, nil, nil, nil, nil])
    #expect(bench.store.events == [.suspended(imageID: 1, length: 0)])
  }

  @Test(arguments: ResumptionCase.all)
  func `asks for the rest only with what surely names the version`(
    _ resumption: ResumptionCase
  ) async throws {
    let bench = OriginalBench(resumption.first(jpeg), .picture(jpeg))

    _ = try await bench.fetch()

    #expect(bench.network.requests.last?.range?.validator == resumption.validator)
    #expect(bench.committed == [jpeg])
  }

  @Test(arguments: [
    NetworkError.Reason.cancelled, .unreachable, .insecure, .refused, .other,
  ])
  func `does not go on after anything but a broken connection`(
    _ reason: NetworkError.Reason
  ) async {
    var reply = FakeReply.broken(jpeg, at: 20, strong)
    reply.breakage = reason
    let bench = OriginalBench(reply)

    await #expect(throws: Failure.network(NetworkError(reason, at: .original("moon")))) {
      try await bench.fetch()
    }
    #expect(bench.offsets == [nil])
    #expect(bench.store.events == [.suspended(imageID: 1, length: 20)])
  }

  @Test func `keeps nothing of an original that is too large`() async {
    var reply = FakeReply.broken(jpeg, at: 20, strong)
    reply.breakage = .tooLarge(limit: 20)
    let bench = OriginalBench(reply)

    await #expect(throws: Failure.self) { try await bench.fetch() }
    #expect(bench.store.events == [.discarded(imageID: 1)])
  }
}
