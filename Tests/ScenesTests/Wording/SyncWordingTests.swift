import FoundationEssentials
import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

struct SyncWordingTests {
  @Test func `tells a feed of which nothing has changed`() {
    var summary = FeedSyncSummary(address: Feed.astronomy.address, status: .unchanged)
    summary.feed = .astronomy
    summary.images.total = 1_200

    #expect(Wording.summary(summary) == "unchanged 'Astronomy': 1,200 images")
  }

  @Test(arguments: [
    (500, " (the newest 500 kept)"), (1_200, ""), (5_000, ""), (nil, ""),
  ])
  func `tells how many of a feed's images the library keeps`(_ most: Int?, _ words: String) {
    var summary = FeedSyncSummary(address: Feed.astronomy.address, status: .unchanged)
    summary.feed = .astronomy
    summary.feed?.retention.images = most
    summary.images.total = 1_200

    #expect(Wording.summary(summary).described == "unchanged 'Astronomy': 1,200 images\(words)")
  }

  @Test func `tells all that a sync did for a feed`() {
    var summary = FeedSyncSummary.astronomy
    summary.images = ImageCounts(total: 1, new: 1_000, changed: 2, gone: 3)
    summary.thumbnails = TransferCounts(stored: 1, failed: 2, waiting: 3)
    summary.originals = TransferCounts(stored: 2, failed: 1)
    summary.bytes = 5 << 20
    summary.duration = .seconds(70)

    let text: HintedText = """
      updated 'Astronomy': 1 image, 1,000 new, 2 changed, 3 gone; \
      1 thumbnail stored, 2 failed, 3 waiting; 2 originals stored, 1 failed; 5.0 MiB in 1 min 10 s
      """
    #expect(Wording.summary(summary) == text)
  }

  @Test func `tells that a gallery shows only a part of itself`() {
    var summary = FeedSyncSummary.astronomy
    summary.isLimited = true
    summary.bytes = 0
    summary.thumbnails = TransferCounts(waiting: 1)

    let text: HintedText = """
      updated 'Astronomy': 120 images, 12 new, 3 changed; only the part of the gallery that its \
      token shows; 1 thumbnail waiting
      """
    #expect(Wording.summary(summary) == text)
  }

  @Test(arguments: [
    (TransferCounts(failed: 1), "1 thumbnail failed"),
    (TransferCounts(failed: 2, waiting: 1), "2 thumbnails failed, 1 waiting"),
    (TransferCounts(waiting: 1_000), "1,000 thumbnails waiting"),
    (TransferCounts(stored: 1, waiting: 1), "1 thumbnail stored, 1 waiting"),
  ])
  func `names what is counted once`(_ counts: TransferCounts, _ text: String) {
    var summary = FeedSyncSummary.astronomy
    summary.thumbnails = counts
    summary.bytes = 0

    #expect(
      Wording.summary(summary) == "updated 'Astronomy': 120 images, 12 new, 3 changed; \(text)"
    )
  }

  @Test func `tells why pictures wait that failed lately, apart from those that just wait`() {
    let retry = Date(timeIntervalSince1970: 1_800_000_000)
    func group(_ count: Int, _ reason: String) -> FailureGroup {
      FailureGroup(kind: .thumbnail, count: count, reason: reason, retry: retry)
    }
    var summary = FeedSyncSummary.astronomy
    summary.status = .unchanged
    summary.images = ImageCounts(total: 60)
    summary.thumbnails = TransferCounts(
      waiting: 45,
      heldBack: [group(41, "the server answered 404 (not found)"), group(1, "Too slow.")]
    )
    summary.bytes = 0

    let text: HintedText = """
      unchanged 'Astronomy': 60 images; 3 thumbnails waiting; 42 thumbnails failed lately: the \
      server answered 404 (not found) (and 1 other reason), tried again from \
      \(Wording.localTime(retry)) on, \(.retryNow)
      """
    #expect(Wording.summary(summary) == text)
  }

  @Test func `tells what several feeds come to together`() {
    var tally = SyncTally()
    var other = FeedSyncSummary.astronomy
    other.status = .unchanged
    other.images = ImageCounts(total: 1)
    other.thumbnails = TransferCounts(failed: 2)
    for summary in [.astronomy, other, .secret] { tally.add(summary) }

    let text = """
      3 feeds: 1 updated, 1 unchanged, 1 failed; 121 images, 12 new, 3 changed; \
      15 thumbnails stored, 2 failed; 241 KiB in 2.0 s
      """
    let totals = tally.totals(after: .seconds(2))
    #expect(totals.map { Wording.totals($0, isDryRun: false) } == text)
    #expect(SyncTally().totals(after: .zero) == nil)
  }

  private static let dryRuns: [(Feed.Status, HintedText)] = [
    (
      Feed.Status.updated,
      "would update 'Astronomy': 120 images, 12 new, 3 changed; 15 thumbnails to fetch"
    ),
    (.unchanged, "unchanged 'Astronomy': 120 images, 12 new, 3 changed; 15 thumbnails to fetch"),
  ]

  @Test(arguments: dryRuns)
  func `tells what a sync would do for a feed`(_ status: Feed.Status, _ text: HintedText) {
    var summary = FeedSyncSummary.astronomy
    summary.isDryRun = true
    summary.status = status
    summary.thumbnails = TransferCounts(waiting: 15)
    summary.bytes = 0

    #expect(Wording.summary(summary) == text)
  }

  @Test func `tells how many bytes feeds declare of what a sync would fetch`() {
    var summary = FeedSyncSummary.astronomy
    (summary.isDryRun, summary.status, summary.bytes) = (true, .unchanged, 0)
    summary.images = ImageCounts(total: 120)
    summary.thumbnails = TransferCounts()
    summary.originals = TransferCounts(waiting: 15)
    summary.originals.waitingBytes = 3 << 20

    let text: HintedText =
      "unchanged 'Astronomy': 120 images; 15 originals to fetch (3.0 MiB declared)"
    #expect(Wording.summary(summary) == text)
  }

  @Test func `tells that a dry run was interrupted without a word of what is stored`() {
    let response = SyncFeeds.Ended.Response(
      outcome: .done,
      isInterrupted: true,
      isDryRun: true
    )

    #expect(Wording.endOfSync(response) == "interrupted — a dry run changes nothing")
  }

  @Test(
    arguments: [
      ("https://stars.example/a.xml", .handshake, "http://stars.example/a.xml"),
      ("http://stars.example:8443/a.xml", .connectionReset, "https://stars.example:8443/a.xml"),
      ("http://stars.example/a.xml", .noAnswer, "https://stars.example/a.xml"),
      // A broken connection is no reason to do without TLS.
      ("https://stars.example/a.xml", .connectionReset, nil),
      ("https://ann:pass@stars.example/a.xml", .connectionReset, nil),
      ("http://stars.example/a.xml", .connectionRefused, nil),
    ] as [(String, NetworkError.Cause, String?)]
  )
  func `names the address with the other scheme if the server probably has that one`(
    address: String,
    cause: NetworkError.Cause,
    other: String?
  ) {
    let error = NetworkError(reason: .broken, address: .at(address), cause: cause, message: "")
    let problem = SyncProblem(subject: .feed, address: .at(address), failure: .network(error))

    var hints: [Hint] = []
    _ = Wording.message(problem).text { hint in
      hints.append(hint)
      return ""
    }
    let scheme = address.hasPrefix("https") ? "http" : "https"
    #expect(hints == (other.map { [.askByOtherScheme(scheme, address: $0)] } ?? []))
  }

  @Test(
    arguments: [
      ("https://ann:pass@stars.example/", .status(401), "401 (the login was refused)", .renewLogin),
      ("https://stars.example/?token=1", .status(401), "401 (the login was refused)", .renewLogin),
      ("https://stars.example/", .status(401), "401 (authentication is needed)", .logIn),
      ("https://ann:pass@stars.example/", .status(403), "403 (forbidden)", nil),
    ] as [(String, Failure, String, Hint?)]
  )
  func `a refused login is told apart from none`(
    address: String,
    failure: Failure,
    reason: String,
    hint: Hint?
  ) {
    let problem = SyncProblem(subject: .feed, address: .at(address), failure: failure)

    var hints: [Hint] = []
    let text = Wording.message(problem).text { hint in
      hints.append(hint)
      return ""
    }
    #expect(hints == [hint].compactMap(\.self))
    #expect(text.contains("the server answered \(reason) — "))
  }

  @Test(
    arguments: [
      ("stdin:", "plain text", .readAddresses(file: "-")),
      (
        "file:///home/ann/my%20feeds.txt", "plain text",
        .readAddresses(file: "/home/ann/my feeds.txt")
      ),
      ("https://stars.example/a", "plain text", nil), ("stdin:cats", "plain text", nil),
      ("file:///home/ann/half/a.jpg", "a JPEG image", .followFolder(path: "/home/ann/half")),
      ("https://stars.example/a.jpg", "a JPEG image", nil), ("stdin:", "a PNG image", nil),
      ("file:///home/ann/a", "a video", nil),
    ] as [(String, String, Hint?)]
  )
  func `what a file or a pipe has in place of a feed leads to the right command`(
    address: String,
    kind: String,
    hint: Hint?
  ) {
    let failure = Failure.feed(.notAFeed(looksLike: kind))
    let problem = SyncProblem(subject: .feed, address: .at(address), failure: failure)

    var hints: [Hint] = []
    _ = Wording.message(problem).text { hint in
      hints.append(hint)
      return ""
    }
    #expect(hints == [hint].compactMap(\.self))
  }

  /// A masked address leads nowhere.
  @Test(
    arguments: [
      (
        .network(
          .init(reason: .broken, address: .at("https://a.b/"), cause: .handshake, message: "")
        ),
        .askByOtherScheme("http", address: nil)
      ),
      (.feed(.webPage), .followPage(address: nil)),
      (
        .feed(
          .replaced(
            .feed,
            by: .page,
            offers: [.at("https://a.b/?key=1"), .at("https://a.b/feed?page=1")]
          )
        ), .followOffered(addresses: ["https://a.b/feed?page=1"])
      ),
      (.feed(.replaced(.feed, by: .page, offers: [.at("https://a.b/?key=1")])), nil),
    ] as [(Failure, Hint?)]
  )
  func `no hint names an address that has secrets`(failure: Failure, hint: Hint?) {
    let problem = SyncProblem(
      subject: .feed,
      address: .at("https://ann:pass@stars.example/a.xml?key=1"),
      failure: failure
    )

    var hints: [Hint] = []
    _ = Wording.message(problem).text { hint in
      hints.append(hint)
      return ""
    }
    #expect(hints == (hint.map { [$0] } ?? []))
  }
}
