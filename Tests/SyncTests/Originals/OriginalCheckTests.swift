import FoundationEssentials
import Models
import TestSupport
import Testing
import Workers

/// Requests for an original that is already stored.
struct OriginalCheckTests {
  private let jpeg = PictureBytes.jpeg
  private let stored = Validators(entityTag: "\"one\"", lastModified: "Sun")
  private let published = OriginalBench.now.addingTimeInterval(-1_000)

  @Test func `asks whether it has changed, with what its server gave`() async throws {
    let bench = bench(.unchanged(stored))

    let fetched = try await bench.fetch(isCheck: true, since: published)

    #expect(bench.network.requests.map(\.validators) == [stored])
    #expect(bench.offsets == [nil])
    #expect(fetched.isUnchanged)
    #expect(!fetched.wasDownloaded)
    #expect(fetched.original.sha256 == StoredOriginal.sampleSHA256)
    #expect(fetched.wireBytes == FakeReply.headerBytes)
    #expect(
      bench.store.events == [
        .discarded(imageID: 1),
        .renewed(
          UnchangedPicture(
            imageID: 1,
            address: .original("moon"),
            validators: stored,
            checkDate: OriginalBench.now.addingTimeInterval(100)
          )
        ),
      ]
    )
  }

  @Test func `stores what has changed in the place of what was stored`() async throws {
    var reply = FakeReply.picture(PictureBytes.png)
    reply.validators = Validators(entityTag: "\"two\"")
    let bench = bench(reply)

    let fetched = try await bench.fetch(isCheck: true, since: published)

    #expect(fetched.wasDownloaded)
    #expect(!fetched.isUnchanged)
    #expect(bench.committed == [PictureBytes.png])
    #expect(bench.receipts.map(\.validators) == [Validators(entityTag: "\"two\"")])
  }

  @Test func `asks soon again for what has just changed`() async throws {
    let bench = bench(.picture(PictureBytes.png))

    _ = try await bench.fetch(isCheck: true, since: published)

    #expect(bench.receipts.map(\.checkDate) == [OriginalBench.now])
  }

  @Test func `sees that the same has come again`() async throws {
    let bench = bench(.picture(jpeg), sha256: SHA256Digest(of: jpeg).hexadecimal)

    let fetched = try await bench.fetch(isCheck: true, since: published)

    #expect(fetched.isUnchanged)
    #expect(fetched.wasDownloaded)
    #expect(bench.receipts.map(\.checkDate) == [OriginalBench.now.addingTimeInterval(100)])
  }

  @Test func `asks later for what its server calls fresh`() async throws {
    var reply = FakeReply.picture(jpeg)
    reply.freshSeconds = 3_600
    let bench = OriginalBench(reply)

    _ = try await bench.fetch()

    #expect(bench.receipts.map(\.checkDate) == [OriginalBench.now.addingTimeInterval(3_600)])
  }

  @Test func `asks whether an outdated one has changed`() async throws {
    let bench = bench(.unchanged(stored), isStale: true)

    let fetched = try await bench.fetch()

    #expect(bench.network.requests.map(\.validators) == [stored])
    #expect(fetched.isUnchanged)
    #expect(!fetched.original.isStale)
  }

  @Test func `asks for all of one that came from another address`() async throws {
    let bench = bench(.picture(jpeg), address: .original("sun"), isStale: true)

    _ = try await bench.fetch(isCheck: true)

    #expect(bench.network.requests.map(\.validators) == [Validators()])
    #expect(bench.committed == [jpeg])
  }

  @Test func `asks for the rest of a new version whose transfer broke off`() async throws {
    let bench = bench(.rest(of: jpeg, from: 20, OriginalBench.strong))
    bench.keep(jpeg, first: 20)

    let fetched = try await bench.fetch(isCheck: true)

    #expect(bench.network.requests.map(\.validators) == [Validators()])
    #expect(bench.offsets == [20])
    #expect(fetched.resumedFrom == 20)
    #expect(bench.committed == [jpeg])
  }

  @Test(arguments: [404, 503])
  func `leaves what is stored when the server has no answer`(_ status: Int) async throws {
    let bench = bench(FakeReply(status: status))

    await #expect(throws: Failure.status(status)) { try await bench.fetch(isCheck: true) }
    #expect(bench.store.events == [.suspended(imageID: 1, length: 0)])
    #expect(try await bench.store.original(imageID: 1) != nil)
  }

  @Test func `tells when the store cannot take the news`() async {
    let bench = bench(.unchanged(stored), failing: [.renewOriginal])

    await #expect(throws: Failure.store(FaultyLibrary.fullDisk)) {
      try await bench.fetch(isCheck: true)
    }
  }

  private func bench(
    _ reply: FakeReply,
    sha256: String = StoredOriginal.sampleSHA256,
    address: WebAddress = .original("moon"),
    isStale: Bool = false,
    failing: Set<StoreStep> = []
  ) -> OriginalBench {
    let bench = OriginalBench(reply, failing: failing)
    let original = StoredOriginal.sample(
      imageID: 1,
      sha256: sha256,
      isStale: isStale,
      address: address,
      validators: stored
    )
    bench.store.keepOriginal(original, imageID: 1)
    return bench
  }
}

extension FakeReply {
  /// The answer to a client that already has the right version.
  fileprivate static func unchanged(_ validators: Validators) -> FakeReply {
    FakeReply(status: 304, validators: validators)
  }
}
