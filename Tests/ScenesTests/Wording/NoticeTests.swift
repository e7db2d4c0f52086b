import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

struct NoticeTests {
  private static let holder = LockHolder(process: 4_711, since: .novemberMorning)

  private static let notices: [(SyncNotice, HintedText)] = [
    (
      SyncNotice.waiting(for: holder, feed: Feed.astronomy.address),
      """
      process 4711 has been syncing 'https://stars.example/feed.xml' since \(Wording.localTime(.novemberMorning)) \
      — waiting for it
      """
    ),
    (
      .waiting(for: nil, feed: Feed.secret.address),
      """
      another process is syncing 'https://***@team.example/shots.json?token=***' — waiting for it
      """
    ),
    (
      .moved(from: Feed.secret.address, to: Feed.astronomy.address),
      """
      'https://***@team.example/shots.json?token=***' has moved permanently: its address is \
      'https://stars.example/feed.xml' from now on — the old address still works
      """
    ),
    (
      .readFromPipe(.at("stdin:")),
      """
      'stdin:' came through a pipe, and only its pictures are asked for — \(.readFromPipe)
      """
    ),
    (
      .stillFailing(
        FeedReference(id: 1, address: Feed.secret.address, title: nil),
        reason: "the server answered 404 (not found)",
        next: .novemberMorning
      ),
      """
      'https://***@team.example/shots.json?token=***' has failed: the server answered 404 (not found) — asked again \
      from \(Wording.localTime(.novemberMorning)) on
      """
    ),
    (
      .stillFailing(
        FeedReference(id: 1, address: Feed.secret.address, title: "Shots"),
        reason: "no answer",
        next: nil
      ),
      "'Shots' has failed: no answer — asked again with the next sync"
    ),
    (.moreFailing(feeds: 1), "and 1 more feed has failed — \(.explainFailures)"),
    (.moreFailing(feeds: 1_200), "and 1,200 more feeds have failed — \(.explainFailures)"),
    (
      .packed(
        PackedThumbnails(packs: 2, thumbnails: 5_000, bytes: 78_643_200),
        store: "s3://photos"
      ),
      "put 5,000 thumbnails into 's3://photos' as 2 packs (75.0 MiB)"
    ),
    (
      .waitingForLibrary(StoreError(reason: .busy, path: "/library", message: "")),
      "cannot sync yet: another program has held '/library' for too long — waiting for it"
    ),
    (
      .leftOut(LeftOutFiles(links: 1, raw: 1_200, notPictures: 2), folder: .at("file:///scans/")),
      """
      'file:///scans/' has 1,200 raw files, 1 link and 2 files without a picture in them, which are left out — \
      \(.explainFolder(address: "file:///scans/"))
      """
    ),
    (
      .leftOut(LeftOutFiles(raw: 1), folder: .at("file:///scans/")),
      """
      'file:///scans/' has 1 raw file, which is left out — \
      \(.explainFolder(address: "file:///scans/"))
      """
    ),
    (
      .unwatched(folder: .at("file:///scans/"), .limit("fs.inotify.max_user_watches")),
      """
      cannot watch 'file:///scans/': the system's limit fs.inotify.max_user_watches is reached — \
      it is listed each minute
      """
    ),
    (
      .unwatched(folder: .at("file:///scans/"), .fileSystem("NFS")),
      "cannot watch 'file:///scans/': NFS does not tell of each change — it is listed each minute"
    ),
    (
      .bounded(StoreError(reason: .tooLarge(bound: 1 << 20), path: "/library", message: "")),
      "an original waits that is larger than all originals may be together, 1.0 MiB"
    ),
    (
      .bounded(StoreError(reason: .noFreeRoom(keepFree: 5 << 30), path: "/library", message: "")),
      "thumbnails wait for an original: it has no room on the disk beside the 5.0 GiB that --keep-free leaves free"
    ),
    (
      .paused(feeds: 1),
      """
      1 feed is paused, because its server says that it is gone — \(.askPausedFeed(isOne: true))
      """
    ),
    (
      .paused(feeds: 1_200),
      """
      1,200 feeds are paused, because their servers say that they are gone — \
      \(.askPausedFeed(isOne: false))
      """
    ),
  ]

  @Test(arguments: notices)
  func `tells what is not a problem`(_ notice: SyncNotice, _ text: HintedText) {
    #expect(Wording.notice(notice) == text)
  }

  @Test func `names the settings of some feeds, or of all, for certificate authorities`() {
    let feeds = [WebAddress.at("https://a.example/?q=1"), Feed.astronomy.address]
    func viewModel(_ feeds: [WebAddress]) -> SyncFeeds.Notice.ViewModel {
      SyncFeeds.Notice.Response(notice: .trustedOnce(feeds, authorities: "/ca.pem")).presented
    }

    #expect(
      viewModel(feeds)
        == .init(
          text: """
            the certificate authorities of '/ca.pem' count for this sync alone — \
            \(.keepAuthorities)
            """,
          isOfLibrary: true,
          authorities: "/ca.pem",
          feeds: feeds.map(\.text)
        )
    )
    #expect(viewModel(feeds + feeds).feeds == [])
    // The table of a masked address is that of no feed.
    #expect(viewModel([Feed.secret.address]).feeds == [])
  }

  @Test(arguments: [
    ("https://a.b/?token=one", "https://a.b/?token=two", true),
    ("https://a.b/?token=one", "https://a.b/?token=one", false),
    ("https://a.b/?token=one", "https://c.b/?token=one", false),
    ("https://a.b/x", "https://a.b/y", false),
  ])
  func `tells apart two addresses that look the same because secrets are masked`(
    _ address: String,
    _ other: String,
    _ isNoted: Bool
  ) {
    let failures = [
      Failure.addressTaken(.at(other)), .feed(.gallery(.mirroredFrom(.at(other)))),
      .feed(.gallery(.unlikeFormer(.at(other)))),
    ]
    let messages = failures.map { failure in
      Wording.message(SyncProblem(subject: .feed, address: .at(address), failure: failure))
    }
    let moved = Wording.notice(.moved(from: .at(address), to: .at(other)))

    for message in messages + [moved] {
      let text = message.text { _ in "" }
      #expect(text.contains(" (the two addresses differ in what is masked) — ") == isNoted)
    }
  }

  @Test(arguments: [
    ("https://a.b/feeds/2", "https://a.b/", true), ("https://a.b/", "https://a.b/feeds/2", true),
    ("https://a.b/feeds/1", "https://a.b/feeds/2", true),
    ("https://old.example/", "https://a.b/", false),
    ("https://a.b/x/", "https://a.b/y/", false),
  ])
  func `says that a gallery has moved only if it is at another place`(
    former: String,
    address: String,
    isPart: Bool
  ) {
    let failure = Failure.feed(.gallery(.mirroredFrom(.at(former))))
    let problem = SyncProblem(subject: .feed, address: .at(address), failure: failure)

    let text = Wording.message(problem).text { _ in "" }
    #expect(text.contains("in place of what is followed of it, ") == isPart)
    #expect(text.contains("if it has moved, ") == !isPart)
  }

  @Test(arguments: [
    ("3-1", "a range of ids rises: 1-3"), ("3-", "a range of ids has an end, as in 3-12"),
    ("moon", "no feed has this title"),
  ])
  func `says what to write in place of a range of feeds that falls or has no end`(
    _ typed: String,
    _ words: String
  ) {
    guard case .name(let name) = FeedArgument.named(typed) else {
      Issue.record("it was taken for something else")
      return
    }
    let problem = SyncProblem(subject: .feed, address: name.file, failure: .status(404))
    let response = SyncFeeds.Problem.Response(problem: problem, guessedFrom: name)

    let text = Wording.message(response).text { _ in "" }
    #expect(text.hasPrefix("cannot sync '\(typed)': \(words), and as a file: "))
  }

  @Test func `tells that a feed cannot follow to its new address`() {
    let problem = SyncProblem(
      subject: .document,
      address: Feed.astronomy.address,
      failure: .addressTaken(.at("https://new.example/feed"))
    )

    #expect(
      Wording.message(problem) == """
        cannot move 'https://stars.example/feed.xml': it has moved permanently to \
        'https://new.example/feed', which is another feed's address — both feeds stay as they are
        """
    )
  }
}
