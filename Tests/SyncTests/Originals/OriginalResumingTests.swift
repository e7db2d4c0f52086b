import FoundationEssentials
import Models
import Sync
import TestSupport
import Testing
import Workers

/// An original of which an earlier attempt has left the first bytes.
@Suite(.timeLimit(.minutes(60)))
struct OriginalResumingTests {
  private let jpeg = PictureBytes.jpeg
  private let strong = OriginalBench.strong

  @Test func `asks for the rest on condition that it is the same version`() async throws {
    let bench = OriginalBench(.rest(of: jpeg, from: 20, strong))
    bench.keep(jpeg, first: 20)

    let fetched = try await bench.fetch()

    let request = NetworkRequest(
      address: .original("moon"),
      reach: .publicOnly,
      accept: "image/*, */*;q=0.5",
      byteLimit: 17_179_869_184 - 20,
      range: NetworkRange(offset: 20, validator: "\"one\"")
    )
    #expect(bench.network.requests == [request])
    #expect(bench.committed == [jpeg])
    #expect(fetched.resumedFrom == 20)
    #expect(fetched.wasDownloaded)
    #expect(fetched.wireBytes == FakeReply.headerBytes + jpeg.count - 20)
  }

  @Test func `counts on from what is here`() async throws {
    let bench = OriginalBench(.rest(of: jpeg, from: 20, strong))
    bench.keep(jpeg, first: 20)
    var told: [[Int?]] = []

    _ = try await bench.fetch { told.append([$0, $1]) }

    #expect(told == [[20, jpeg.count], [jpeg.count, jpeg.count]])
  }

  @Test func `keeps the validators that the rest does not repeat`() async throws {
    let bench = OriginalBench(.rest(of: jpeg, from: 20, strong))
    let both = Validators(entityTag: strong.entityTag, lastModified: ResumptionCase.day)
    bench.keep(jpeg, first: 20, of: both)

    _ = try await bench.fetch()

    #expect(bench.receipts.map(\.validators) == [both])
  }

  @Test func `goes on with a rest that does not repeat a date`() async throws {
    let bench = OriginalBench(.rest(of: jpeg, from: 20, Validators()))
    let date = Validators(lastModified: ResumptionCase.day)
    bench.keep(jpeg, first: 20, of: date)

    _ = try await bench.fetch()

    #expect(bench.committed == [jpeg])
    #expect(bench.receipts.map(\.validators) == [date])
  }

  @Test func `begins in the same response when the server sends all`() async throws {
    var reply = FakeReply.picture(PictureBytes.png)
    reply.validators = Validators(entityTag: "\"two\"")
    let bench = OriginalBench(reply)
    bench.keep(jpeg, first: 20)
    var told: [Int] = []

    let fetched = try await bench.fetch { received, _ in told.append(received) }

    #expect(bench.offsets == [20])
    #expect(bench.committed == [PictureBytes.png])
    #expect(bench.receipts.map(\.validators) == [Validators(entityTag: "\"two\"")])
    #expect(fetched.resumedFrom == 0)
    #expect(told == [0, PictureBytes.png.count])
  }

  @Test(arguments: MisfittingReply.all)
  func `asks for all, once, when what comes is not the rest of what is here`(
    _ misfit: MisfittingReply
  ) async throws {
    let bench = OriginalBench(misfit.reply, .picture(PictureBytes.png))
    bench.keep(jpeg, first: 20)

    let fetched = try await bench.fetch()

    #expect(bench.offsets == [20, nil])
    #expect(bench.committed == [PictureBytes.png])
    #expect(fetched.resumedFrom == 0)
  }

  @Test func `gives up on a server whose parts never belong together`() async {
    let other = Validators(entityTag: "\"two\"")
    let bench = OriginalBench(
      .rest(of: jpeg, from: 20, other),
      .broken(jpeg, at: 30, strong),
      .rest(of: jpeg, from: 30, other)
    )
    bench.keep(jpeg, first: 20)

    let failure = await #expect(throws: Failure.self) { try await bench.fetch() }

    #expect(bench.offsets == [20, nil, 30])
    #expect(failure.map(Self.reason) == .other)
    #expect(bench.committed == [])
  }

  @Test func `takes what is here for all when the server has nothing behind it`() async throws {
    let bench = OriginalBench(.nothingBehind(jpeg.count))
    bench.keep(jpeg, first: jpeg.count)

    let fetched = try await bench.fetch()

    #expect(bench.offsets == [jpeg.count])
    #expect(bench.committed == [jpeg])
    #expect(bench.receipts.map(\.validators) == [strong])
    #expect(fetched.resumedFrom == jpeg.count)
  }

  @Test func `does not take a cut picture for all, whatever the server says`() async throws {
    let bench = OriginalBench(.nothingBehind(20), .picture(jpeg))
    bench.keepUndeclared(jpeg, first: 20)

    _ = try await bench.fetch()

    #expect(bench.offsets == [20, nil])
    #expect(bench.committed == [jpeg])
  }

  @Test func `goes on when the server sends less of the rest than it was asked for`() async throws {
    var part = FakeReply.rest(of: Array(jpeg.prefix(30)), from: 20, strong)
    part.contentRange = ContentRange(bytes: 20...29, total: jpeg.count)
    let bench = OriginalBench(part, .rest(of: jpeg, from: 30, strong))
    bench.keep(jpeg, first: 20)

    let fetched = try await bench.fetch()

    #expect(bench.offsets == [20, 30])
    #expect(bench.committed == [jpeg])
    #expect(fetched.resumedFrom == 20)
  }

  @Test func `starts over when the feed names another address`() async throws {
    let bench = OriginalBench(.picture(PictureBytes.png))
    bench.keep(jpeg, first: 20, at: .original("sun"))

    _ = try await bench.fetch()

    #expect(bench.offsets == [nil])
    #expect(bench.committed == [PictureBytes.png])
  }

  @Test(arguments: [404, 503])
  func `keeps what is here when the server has no answer now`(_ status: Int) async {
    let bench = OriginalBench(FakeReply(status: status))
    bench.keep(jpeg, first: 20)

    await #expect(throws: Failure.status(status)) { try await bench.fetch() }
    #expect(bench.store.events == [.suspended(imageID: 1, length: 20)])
  }

  @Test func `throws away what is here when it turns out to be no picture`() async {
    let page = Array("<html><body>".utf8) + Array(repeating: 0x20, count: 5_000)
    let bench = OriginalBench(.rest(of: page, from: 20, strong))
    bench.keep(page, first: 20)

    await #expect(throws: Failure.notAPicture(looksLike: "an HTML page")) {
      try await bench.fetch()
    }
    #expect(bench.store.events == [.discarded(imageID: 1)])
  }

  @Test(arguments: [16, 5_000])
  func `keeps what is here when a page comes in the place of the picture`(length: Int) async throws
  {
    let page = Array("<html><body>".utf8) + Array(repeating: 0x20, count: length)
    let bench = OriginalBench(.picture(page), .rest(of: jpeg, from: 20, strong))
    bench.keep(jpeg, first: 20)

    await #expect(throws: Failure.notAPicture(looksLike: "an HTML page")) {
      try await bench.fetch()
    }
    #expect(bench.store.events == [.suspended(imageID: 1, length: 20)])

    #expect(try await bench.fetch().resumedFrom == 20)
    #expect(bench.committed == [jpeg])
  }

  @Test func `keeps what is here when a picture in its place breaks off at once`() async throws {
    var cut = FakeReply.broken(PictureBytes.png, at: 10, Validators())
    cut.breakage = .insecure
    let bench = OriginalBench(cut, .rest(of: jpeg, from: 20, strong))
    bench.keep(jpeg, first: 20)

    _ = await #expect(throws: Failure.self) { try await bench.fetch() }
    _ = try await bench.fetch()

    #expect(bench.offsets == [20, 20])
    #expect(bench.committed == [jpeg])
  }

  @Test func `shows nothing of the file while it has another version than what comes`() async throws
  {
    let other = PictureBytes.longJPEG(9_000)
    var reply = FakeReply.picture(other)
    reply.chunks = [Array(other.prefix(1_000)), Array(other.dropFirst(1_000))]
    let bench = OriginalBench(reply)
    bench.keep(jpeg, first: 20)
    let request = OriginalRequest(imageID: 1, address: .original("moon"), reach: .anywhere)
    var told: [Bool] = []

    _ = try await bench.worker.fetch(request) { told.append($0.partial != nil) }

    #expect(told == [false, false, true])
    #expect(bench.committed == [other])
  }

  @Test func `leaves what is here alone when it cannot be read back`() async {
    let bench = OriginalBench(.rest(of: jpeg, from: 20, strong), failing: [.resumeOriginal])
    bench.keep(jpeg, first: 20)

    await #expect(throws: Failure.store(FaultyLibrary.fullDisk)) { try await bench.fetch() }
    #expect(bench.store.events == [.suspended(imageID: 1, length: 20)])
  }

  private static func reason(_ failure: Failure) -> NetworkError.Reason? {
    if case .network(let error) = failure { error.reason } else { nil }
  }
}
