import FoundationEssentials
import Models
import Store
import TestSupport
import Testing
import Workers

@testable import SQLiteCache

/// Requests for an original that is already stored.
struct OriginalCheckTests {
  private let jpeg = PictureBytes.jpeg
  /// A picture of the same size.
  private let changed = PictureBytes.jpeg + [0]
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
    var reply = FakeReply.picture(changed)
    reply.validators = Validators(entityTag: "\"two\"")
    let bench = bench(reply)

    let fetched = try await bench.fetch(isCheck: true, since: published)

    #expect(fetched.wasDownloaded)
    #expect(!fetched.isUnchanged)
    #expect(bench.committed == [changed])
    #expect(bench.receipts.map(\.validators) == [Validators(entityTag: "\"two\"")])
  }

  /// Servers that ignore the conditions of a request, as some stores do that sign addresses.
  @Test(arguments: [
    (Validators(entityTag: "\"one\""), 7, true), (Validators(entityTag: "\"two\""), 0, false),
    (Validators(entityTag: "\"two\"", lastModified: "Sun"), 0, false),
    (Validators(lastModified: "Sun"), 0, true), (Validators(lastModified: "Sun"), 7, false),
    (Validators(lastModified: "Mon"), 0, false), (Validators(), 0, false),
  ])
  func `reads no body whose header describes the stored one`(
    _ validators: Validators,
    _ more: Int,
    _ isSame: Bool
  ) async throws {
    var reply = FakeReply.picture(PictureBytes.png)
    reply.validators = validators
    reply.contentLength = PictureInfo.jpegSample.bytes + more
    if !isSame { reply.contentLength = PictureBytes.png.count + more }
    let bench = bench(reply)

    let fetched = try? await bench.fetch(isCheck: true, since: published)

    #expect(bench.network.requests.first?.validators == stored)
    #expect((fetched?.isUnchanged == true) == isSame)
    #expect(isSame == (fetched?.wireBytes == FakeReply.headerBytes))
  }

  @Test func `asks soon again for what has just changed`() async throws {
    let bench = bench(.picture(changed))

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

  // MARK: Doubtful answers

  /// The answer of a host that has deleted the picture.
  private var sign: FakeReply {
    var reply = FakeReply.picture(TestPicture.jpeg(width: 64, height: 64))
    reply.address = .sample("removed.jpg")
    reply.validators = Validators(entityTag: "\"sign\"")
    return reply
  }

  @Test(arguments: [true, false])
  func `keeps a sign beside what is stored`(isStale: Bool) async throws {
    let bench = bench(sign, isStale: isStale)

    let fetched = try await bench.fetch(isCheck: true, since: published)

    #expect(fetched.original.sha256 == StoredOriginal.sampleSHA256)
    #expect(!fetched.wasDownloaded)
    #expect(!fetched.isUnchanged)
    #expect(fetched.doubts == [.sign, .redirected, .smaller, .otherShape])
    let stored = try #require(try await bench.store.original(imageID: 1))
    #expect(!stored.isStale)
    #expect(stored.validators == Validators(entityTag: "\"sign\""))
    let newer = try await bench.store.successors(imageID: 1)
    #expect(newer.map(\.kind) == [.original])
    #expect(newer.map(\.doubts) == [fetched.doubts])
  }

  @Test func `brings the same sign once`() async throws {
    let bench = bench(sign)
    _ = try await bench.fetch(isCheck: true)

    let again = try await bench.fetch(isCheck: true)

    #expect(again.doubts == [])
    #expect(again.original.sha256 == StoredOriginal.sampleSHA256)
    #expect(bench.committed.count == 1)
    #expect(try await bench.store.successors(imageID: 1).count == 1)
  }

  @Test func `never replaces the original of a pinned image`() async throws {
    let bench = bench(.picture(changed))
    _ = try await bench.store.library.setPinned(true, imageIDs: [1])

    let fetched = try await bench.fetch(isCheck: true)

    #expect(fetched.doubts == [.pinned])
    #expect(try await bench.store.original(imageID: 1)?.sha256 == StoredOriginal.sampleSHA256)
  }

  @Test func `takes what was kept for a pin, once the image is not pinned any more`() async throws {
    var reply = FakeReply.picture(changed)
    reply.validators = Validators(entityTag: "\"two\"")
    let bench = bench(reply)
    _ = try await bench.store.library.setPinned(true, imageIDs: [1])
    _ = try await bench.fetch(isCheck: true)
    let again = try await bench.fetch(isCheck: true)
    _ = try await bench.store.library.setPinned(false, imageIDs: [1])

    let fetched = try await bench.fetch(isCheck: true)

    #expect(again.original.sha256 == StoredOriginal.sampleSHA256)
    #expect(
      bench.network.requests.map(\.validators) == [stored, reply.validators, Validators()]
    )
    #expect(fetched.doubts == [])
    let hash = SHA256Digest(of: changed).hexadecimal
    #expect(try await bench.store.original(imageID: 1)?.sha256 == hash)
    #expect(try await bench.store.successors(imageID: 1) == [])
  }

  @Test func `never replaces the original of an image that has left its feed`() async throws {
    let bench = bench(.picture(changed))
    FaultyLibrary.sound {
      _ = try bench.store.library.write { db in
        try db.run("UPDATE image SET original_check_at = NULL")
      }
    }

    let fetched = try await bench.fetch(isCheck: true)

    #expect(fetched.doubts == [.unlisted])
    let stored = try #require(try await bench.store.original(imageID: 1))
    #expect(stored.sha256 == StoredOriginal.sampleSHA256)
    #expect(stored.checkDate == nil)
  }

  @Test func `does not take a sign for a damaged original, and keeps it beside`() async throws {
    let bench = bench(sign)
    try await bench.store.library.mark(.original(path: "", imageIDs: [1]), as: .damaged)

    await #expect(throws: Failure.doubtfulSuccessor) { try await bench.fetch(isCheck: true) }

    #expect(try await bench.store.original(imageID: 1)?.sha256 == StoredOriginal.sampleSHA256)
    #expect(try await bench.store.successors(imageID: 1).count == 1)
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
