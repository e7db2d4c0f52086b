import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

struct SyncFeedsInteractorTests {
  private let presenter = SyncFeedsPresentationSpy()
  private let stop = StopRequest()
  private let usualBytes = 200 << 20

  // MARK: Requests

  @Test func `syncs the feeds that are named, each once, as it is asked to`() async {
    let worker = SyncStub([.ended(.init(isInterrupted: false))])
    let new = WebAddress.at("https://new.example/feed")
    var request = request([.address(new), .id(1), .address(Feed.astronomy.address)])
    request.plan.fetchesThumbnails = false
    request.plan.fetchesOriginals = true
    request.plan.isForced = true
    request.plan.retriesFailed = true
    request.plan.isDryRun = true
    request.plan.reach = .anywhere
    request.plan.originalBytes = 2 << 30

    await interactor(worker).syncFeeds(request: request)

    let plan = SyncPlan(
      feeds: [new, Feed.astronomy.address],
      fetchesThumbnails: false,
      fetchesOriginals: true,
      isForced: true,
      retriesFailed: true,
      isDryRun: true,
      reach: .anywhere,
      originalBytes: 2 << 30
    )
    #expect(worker.events == [.sync(plan)])
  }

  @Test func `plans with the address of the gallery whose copy the named one takes over`() async {
    let worker = SyncStub([.ended(.init(isInterrupted: false))])
    let new = WebAddress.at("https://new.example/")
    var gallery = Feed.astronomy
    gallery.format = .gallery
    var request = request([.address(new)])
    request.formerGallery = .id(1)

    await interactor(worker, library: LibraryStub(feeds: [gallery])).syncFeeds(request: request)

    var plan = SyncPlan(feeds: [new], originalBytes: usualBytes)
    plan.formerGallery = Feed.astronomy.address
    #expect(worker.events == [.sync(plan)])
  }

  @Test(
    arguments: [
      ("https://new.example/", 9), ("https://ann:token@new.example/", 9),
      ("https://new.example/?token=\(String(repeating: "a", count: 43))", 9),
      ("https://new.example/api/v1/changes", 9), ("https://feed.example/rss", 8),
      ("https://other.example/", nil),
      ("https://new.example/feeds/2", nil), ("https://old.example/", nil),
      ("https://ann:token@old.example/", nil),
    ] as [(String, Int64?)]
  )
  func `a gallery does not take the place of another feed that is followed`(
    new: String,
    taken: Int64?
  ) async {
    let worker = SyncStub([.ended(.init(isInterrupted: false))])
    let old = WebAddress.at("https://old.example/")
    let places: [(Int64, WebAddress)] = [
      (1, old), (8, .at("https://feed.example/rss")), (9, .at("https://new.example/")),
    ]
    let feeds = places.map { id, address in
      var feed = Feed(id: id, address: address)
      feed.format = id == 8 ? .rss : .gallery
      return feed
    }
    var request = request([.address(.at(new))])
    request.formerGallery = .id(1)

    await interactor(worker, library: LibraryStub(feeds: feeds)).syncFeeds(request: request)

    if let taken {
      let problem = TakeOverProblem.taken(feedID: taken, isRemoved: false)
      let failure = RequestFailure.notTakenOver(former: old, by: .at(new), problem)
      #expect(worker.events == [])
      #expect(presenter.events == [.failure(.init(failure: failure))])
    } else {
      var plan = SyncPlan(feeds: [.at(new)], originalBytes: usualBytes)
      plan.formerGallery = old
      #expect(worker.events == [.sync(plan)])
    }
  }

  @Test func `a range of ids takes no gallery over`() async {
    let worker = SyncStub([.ended(.init(isInterrupted: false))])
    let feeds = [Int64(1), 2].map { id in
      var gallery = Feed(id: id, address: .at("https://\(id).example/"))
      gallery.format = .gallery
      return gallery
    }
    var request = request([.named("1-2")])
    request.formerGallery = .id(1)

    await interactor(worker, library: LibraryStub(feeds: feeds)).syncFeeds(request: request)

    #expect(worker.events == [])
    #expect(presenter.events.count == 1)
  }

  @Test func `a take-over that was done before is only a sync`() async {
    let worker = SyncStub([.ended(.init(isInterrupted: false))])
    let (old, new) = (WebAddress.at("https://old.example/"), WebAddress.at("https://new.example/"))
    var gallery = Feed(id: 1, address: new)
    gallery.format = .gallery
    var request = request([.address(new)])
    request.formerGallery = .address(old)

    await interactor(worker, library: LibraryStub(feeds: [gallery])).syncFeeds(request: request)

    var plan = SyncPlan(feeds: [new], originalBytes: usualBytes)
    plan.formerGallery = old
    #expect(worker.events == [.sync(plan)])
  }

  // MARK: Folders that have moved

  private static let folder: Feed = {
    var feed = Feed.astronomy
    (feed.id, feed.address, feed.format) = (7, .at("file:///home/ann/scans/"), .folder)
    return feed
  }()

  /// Syncs a feed that takes the place of another one; returns what the library was asked, and what was synced.
  private func takeOver(
    _ former: FeedArgument,
    by new: WebAddress,
    obstacle: FolderMoveObstacle? = nil,
    isDryRun: Bool = false
  ) async -> (manager: [LibraryManagingSpy.Event], worker: [SyncStub.Event]) {
    let worker = SyncStub([.ended(.init(isInterrupted: false))])
    let manager = LibraryManagingSpy(obstacle: obstacle)
    var request = request([.address(new)])
    request.formerGallery = former
    request.plan.isDryRun = isDryRun
    let interactor = SyncFeedsInteractor(
      presenter: presenter,
      library: LibraryStub(feeds: [.astronomy, Self.folder]),
      manager: manager,
      worker: worker,
      pause: Pauses.never
    )
    await interactor.syncFeeds(request: request)
    return (manager.events, worker.events)
  }

  @Test(
    arguments: [.id(7), .named("scans"), .address(.at("file:///home/ann/scans"))] as [FeedArgument]
  )
  func `the sync decides whether a folder goes on at its new place`(former: FeedArgument) async {
    let new = WebAddress.at("file:///mnt/scans/")

    let events = await takeOver(former, by: new)

    #expect(events.manager == [.obstacle(id: 7, new)])
    var plan = SyncPlan(feeds: [new], originalBytes: usualBytes)
    plan.formerFolder = Self.folder.address
    #expect(events.worker == [.sync(plan)])
  }

  @Test func `a folder at its own place is only synced`() async {
    let events = await takeOver(.id(7), by: Self.folder.address)

    #expect(events.manager == [])
    let plan = SyncPlan(feeds: [Self.folder.address], originalBytes: usualBytes)
    #expect(events.worker == [.sync(plan)])
  }

  @Test(
    arguments: [
      (.id(7), "https://new.example/", nil, .otherKind),
      (.id(1), "file:///a/", nil, .otherKind),
      (.id(1), "https://new.example/", nil, .otherKind),
      (.id(7), "file:///a.xml", nil, .noFolder),
      (
        .id(7), "file:///a/", .taken(feedID: 9, isRemoved: false),
        .taken(feedID: 9, isRemoved: false)
      ),
    ] as [(FeedArgument, String, FolderMoveObstacle?, TakeOverProblem)]
  )
  func `a feed that cannot take the place of another is not synced`(
    former: FeedArgument,
    new: String,
    obstacle: FolderMoveObstacle?,
    problem: TakeOverProblem
  ) async {
    let events = await takeOver(former, by: .at(new), obstacle: obstacle)

    let place = former == .id(7) ? Self.folder.address : Feed.astronomy.address
    let failure = RequestFailure.notTakenOver(former: place, by: .at(new), problem)
    #expect(events.worker == [])
    #expect(presenter.events == [.failure(.init(failure: failure))])
    #expect(failure.outcome == .misused)
  }

  @Test func `a dry run moves no folder, and nothing takes the place of an unknown one`() async {
    let new = WebAddress.at("file:///a/")

    let rehearsal = await takeOver(.id(7), by: new, isDryRun: true)
    let unknown = await takeOver(.named("unknown"), by: new)

    #expect(rehearsal.manager + unknown.manager == [])
    #expect(rehearsal.worker + unknown.worker == [])
    let failure = RequestFailure.notTakenOver(former: Self.folder.address, by: new, .rehearsal)
    #expect(
      presenter.events == [
        .failure(.init(failure: failure)),
        .failure(.init(failure: .noSuchFeed(.named("unknown")))),
      ]
    )
  }

  @Test func `presents the reasons for the images of entries`() async {
    let entries = [EntryExplanation(title: "Moon")]
    let feed = Feed.astronomy.address
    let worker = SyncStub([
      .explained(entries, feed: feed), .ended(.init(isInterrupted: false)),
    ])

    await interactor(worker).syncFeeds(request: request([.address(feed)]))

    #expect(presenter.events.first == .explainedEntries(.init(entries: entries, feed: feed)))
  }

  @Test func `tells that the entries of a list's feed are those of one of several`() async {
    let member = WebAddress.at("https://jo.example/feed")
    let worker = SyncStub([.explained([], feed: member), .ended(.init(isInterrupted: false))])

    await interactor(worker).syncFeeds(request: request([.address(Feed.astronomy.address)]))

    let response = SyncFeeds.Explained.Response(entries: [], feed: member, isOneOfSeveral: true)
    #expect(presenter.events.first == .explainedEntries(response))
  }

  @Test(arguments: [
    ("Astronomy", "https://stars.example/feed.xml"),
    ("stars.example/feed.xml", "https://stars.example/feed.xml"),
    ("new.example/feed.xml", "https://new.example/feed.xml"),
    ("localhost:8080/feed.xml", "http://localhost:8080/feed.xml"),
    ("feed.xml", "file:///home/ann/feed.xml"),
  ])
  func `takes a name for the feed that has it, else for an address, else for a file`(
    _ name: String,
    _ address: String
  ) async {
    let worker = SyncStub([.ended(.init(isInterrupted: false))])

    await interactor(worker).syncFeeds(request: request([.named(name)]))

    #expect(worker.events == [.sync(SyncPlan(feeds: [.at(address)], originalBytes: usualBytes))])
  }

  @Test func `takes a range of ids for its followed feeds`() async {
    let worker = SyncStub([.ended(.init(isInterrupted: false))])
    let feeds = (1...3).map { Feed(id: $0, address: .at("https://a.example/\($0)")) }

    await interactor(worker, library: LibraryStub(feeds: feeds)).syncFeeds(
      request: request([.named("2-9")])
    )

    let addresses = [WebAddress.at("https://a.example/2"), .at("https://a.example/3")]
    #expect(worker.events == [.sync(SyncPlan(feeds: addresses, originalBytes: usualBytes))])
  }

  @Test func `syncs a feed once, however it is spelled, and says which comes from a pipe`() async {
    let worker = SyncStub([.ended(.init(isInterrupted: false))])
    let spellings = ["HTTP://stars.example:80/./feed.xml#a", "https://stars.example/feed.xml"]
    let arguments = spellings.map { FeedArgument.address(.at($0)) }

    await interactor(worker).syncFeeds(request: request(arguments + [.named("-")]))

    let pipe = WebAddress.at("stdin:")
    let feeds = [WebAddress.at(spellings[0]), pipe]
    let plan = SyncPlan(feeds: feeds, piped: [pipe], originalBytes: usualBytes)
    #expect(worker.events == [.sync(plan)])
  }

  @Test(arguments: [
    ("Astronomy", nil), ("astronomy", nil), ("./Astronomy", "file:///home/ann/Astronomy/"),
    ("/home/ann/Astronomy", "file:///home/ann/Astronomy/"),
    ("../ann/Astronomy", "file:///home/ann/../ann/Astronomy/"),
    ("scans", "file:///home/ann/scans/"), ("Moon", "file:///home/ann/Moon/"),
  ])
  func `follows no folder whose name is the title of another feed`(
    _ text: String,
    _ address: String?
  ) async {
    let worker = SyncStub([.ended(.init(isInterrupted: false))])
    let scans = Feed(id: 7, address: .at("file:///home/ann/scans/"), title: "scans")
    let library = LibraryStub(feeds: [.astronomy, scans])
    let argument = FeedArgument(
      text,
      relativeTo: "/home/ann",
      isFolder: { _ in true },
      fileExists: { _ in true }
    )

    await interactor(worker, library: library).syncFeeds(request: request([argument]))

    if let address {
      let plan = SyncPlan(feeds: [.at(address)], originalBytes: usualBytes)
      #expect(worker.events == [.sync(plan)])
    } else if case .name(let name) = argument {
      let failure = RequestFailure.titleAndPath(name, [.astronomy])
      #expect(presenter.events == [.failure(.init(failure: failure))])
      #expect(worker.events == [])
      #expect(failure.outcome == .misused)
    }
  }

  @Test func `says what a feed that failed was named by`() async {
    let address = WebAddress.at("https://new.example/feed.xml")
    let problem = SyncProblem(subject: .feed, address: address, failure: .status(404))
    let worker = SyncStub([.problem(problem), .ended(.init(isInterrupted: false))])
    let argument = FeedArgument.named("new.example/feed.xml")
    guard case .name(let name) = argument else {
      Issue.record("it was taken for something else")
      return
    }

    await interactor(worker).syncFeeds(request: request([argument]))

    let response = SyncFeeds.Problem.Response(problem: problem, guessedFrom: name, isNew: true)
    #expect(presenter.events.contains(.syncProblem(response)))
    #expect(
      Wording.message(response) == """
        cannot sync 'new.example/feed.xml': there is no such file, and \
        'https://new.example/feed.xml' does not work: the server answered 404 (not found) — nothing \
        was stored
        """
    )
  }

  @Test(arguments: [
    (Feed.astronomy.address, false), (.at("HTTP://stars.example/feed.xml"), false),
    (.at("https://new.example/feed.xml"), true),
  ])
  func `says that nothing was stored of a feed that the library does not have`(
    _ address: WebAddress,
    _ isNew: Bool
  ) async {
    let problem = SyncProblem(subject: .feed, address: address, failure: .status(401))
    let worker = SyncStub([.problem(problem), .ended(.init(isInterrupted: false))])

    await interactor(worker).syncFeeds(request: request([.address(address)]))

    let response = SyncFeeds.Problem.Response(problem: problem, isNew: isNew)
    let what = isNew ? "nothing was stored" : "stored data stays as it is"
    #expect(presenter.events.contains(.syncProblem(response)))
    #expect(
      Wording.message(response) == """
        cannot sync '\(address.text)': the server answered 401 (authentication is needed) — \(what); \
        \(.logIn)
        """
    )
  }

  @Test(arguments: [
    Feed.astronomy.address, .at("https://stars.example/feed.xml#top"), Feed.secret.address,
  ])
  func `reads the feeds of the library once for many problems of feeds that it has`(
    _ address: WebAddress
  ) async {
    let problem = SyncProblem(subject: .feed, address: address, failure: .status(500))
    let library = LibraryStub(feeds: [.astronomy, .secret])
    let named = SyncFeeds.Start.Request(feeds: [.address(address)], stop: stop)
    let facts = Array(repeating: SyncFact.problem(problem), count: 50)
    let worker = SyncStub(facts + [.ended(SyncEnd(isInterrupted: false))])

    await interactor(worker, library: library).syncFeeds(request: named)

    #expect(library.events.count(where: { $0 == .feeds }) < 5)
    let told = presenter.events.compactMap { event in
      if case .syncProblem(let response) = event { response } else { nil }
    }
    #expect(told.count == 50 && told.allSatisfy { !$0.isNew })
  }

  /// A masked address leads nowhere, so a hint names a feed that has secrets by its id.
  @Test(arguments: [
    (
      Feed.secret.address, GalleryFault.replaced(images: 5),
      Hint.acceptRemovals(address: "\(Feed.secret.id)")
    ),
    (
      Feed.astronomy.address, .replaced(images: 5),
      .acceptRemovals(address: Feed.astronomy.address.text)
    ),
    (
      .at("https://new.example/"), .mirroredFrom(Feed.secret.address),
      .takeOver(former: "\(Feed.secret.id)", address: "https://new.example/")
    ),
    (
      Feed.secret.address, .otherKey,
      .takeOver(former: "\(Feed.secret.id)", address: "\(Feed.secret.id)")
    ),
    (
      Feed.astronomy.address, .otherPart,
      .takeOver(
        former: Feed.astronomy.address.text,
        address: Feed.astronomy.address.text
      )
    ),
    (
      .at("https://new.example/"), .removals(5, of: 5, takingOver: Feed.secret.address),
      .takeOverAnyway(former: "\(Feed.secret.id)", address: "https://new.example/")
    ),
    (.at("https://ann:pass@new.example/"), .replaced(images: 5), .acceptRemovals(address: nil)),
  ])
  func `a hint names a feed whose address has secrets by its id, or not at all`(
    _ address: WebAddress,
    _ fault: GalleryFault,
    _ hint: Hint
  ) async {
    let failure = Failure.feed(.gallery(fault))
    let problem = SyncProblem(subject: .feed, address: address, failure: failure)
    let worker = SyncStub([.problem(problem), .ended(.init(isInterrupted: false))])

    await interactor(worker).syncFeeds(request: request([]))

    let told = presenter.events.compactMap { event in
      if case .syncProblem(let response) = event { response } else { nil }
    }
    var hints: [Hint] = []
    for response in told {
      _ = Wording.message(response).text { hint in
        hints.append(hint)
        return ""
      }
    }
    #expect(hints == [hint])
  }

  @Test func `a hint about a new feed without images names it by its id, too`() async {
    let worker = SyncStub([
      .notice(.empty(Feed.secret.address)), .ended(.init(isInterrupted: false)),
    ])

    await interactor(worker).syncFeeds(request: request([]))

    let ids = [Feed.secret.address: Feed.secret.id]
    let response = SyncFeeds.Notice.Response(notice: .empty(Feed.secret.address), ids: ids)
    #expect(presenter.events.contains(.syncNotice(response)))
    let hint = "\(.explainFeed(address: "\(Feed.secret.id)"))" as HintedText
    let words = hint.text { "\($0)" }
    #expect(response.presented.text.text { "\($0)" }.hasSuffix(words))
  }

  @Test func `says how to stop following a feed whose file is gone, when all are synced`() async {
    let address = WebAddress.at("file:///home/ann/feeds.opml")
    let error = NetworkError(
      reason: .unreadableFile,
      address: address,
      message: "No such file or directory"
    )
    let problem = SyncProblem(subject: .feed, address: address, failure: .network(error))
    let worker = SyncStub([.problem(problem), .ended(.init(isInterrupted: false))])

    await interactor(worker).syncFeeds(request: request([]))

    let response = SyncFeeds.Problem.Response(problem: problem, isOfEveryFeed: true)
    #expect(presenter.events.contains(.syncProblem(response)))
    #expect(
      Wording.message(response) == """
        cannot sync 'file:///home/ann/feeds.opml': no such file or directory — stored data stays \
        as it is, and \(.removeFeed(address: "file:///home/ann/feeds.opml"))
        """
    )
  }

  @Test(arguments: [(false, true), (true, false)])
  func `says of a followed folder that is gone how to go on with it, also when it is named`(
    isNew: Bool,
    isHinted: Bool
  ) {
    let folder = WebAddress.at("file:///home/ann/photos/")
    let error = NetworkError(
      reason: .unreadableFile,
      address: folder,
      message: "No such file or directory"
    )
    let problem = SyncProblem(subject: .feed, address: folder, failure: .network(error))

    let text = Wording.message(SyncFeeds.Problem.Response(problem: problem, isNew: isNew))

    var hints: [Hint] = []
    _ = text.text { hint in
      hints.append(hint)
      return ""
    }
    let expected: [Hint] = [.moveFolder(former: folder.text), .removeFeed(address: folder.text)]
    #expect(hints == (isHinted ? expected : []))
  }

  @Test func `syncs all feeds when none is named, the one that waits longest first`() async {
    let worker = SyncStub([.ended(.init(isInterrupted: false))])
    let list = Feed(id: 3, address: .at("https://lists.example/all.opml"), format: .opml)
    let library = LibraryStub(feeds: [.astronomy, .secret, list])

    await interactor(worker, library: library).syncFeeds(request: request([]))

    let plan = SyncPlan(
      feeds: [Feed.secret.address, list.address, Feed.astronomy.address],
      lists: [list.address],
      isEveryFeed: true,
      originalBytes: usualBytes
    )
    #expect(worker.events == [.sync(plan)])
  }

  @Test func `bounds originals by what is asked for, else only where none are`() async {
    let worker = SyncStub([.ended(.init(isInterrupted: false))])
    var requests = [request([.id(1)]), request([.id(1)]), request([.id(1)])]
    requests[1].plan.fetchesOriginals = true
    requests[2].plan.originalBytes = 0

    for request in requests { await interactor(worker).syncFeeds(request: request) }

    let bounds = worker.events.map { event -> Int? in
      if case .sync(let plan) = event { plan.originalBytes } else { -1 }
    }
    #expect(bounds == [200 << 20, nil, 0])
  }

  @Test func `asks for nothing when one of the feeds cannot be meant`() async {
    let mistyped = FeedArgument.named("htps://stars.example/feed.xml")
    guard case .mistyped(let address) = mistyped else {
      Issue.record("\(mistyped)")
      return
    }
    let ftp = WebAddress.at("ftp://host.example/feed")
    let failures: [(FeedArgument, RequestFailure)] = [
      (.id(9), .noSuchFeed(.id(9))), (.unusable(ftp), .unusableAddress(ftp)),
      (mistyped, .mistypedAddress(address)),
    ]
    let worker = SyncStub()

    for (argument, _) in failures {
      await interactor(worker).syncFeeds(request: request([.id(1), argument]))
    }

    #expect(worker.events == [])
    #expect(presenter.events == failures.map { .failure(.init(failure: $0.1)) })
  }

  @Test(arguments: [nil, StoreError.noLibrary])
  func `presents that no feed is known`(_ error: StoreError?) async {
    await interactor(library: LibraryStub(error: error)).syncFeeds(request: request([]))

    #expect(presenter.events == [.failure(.init(failure: .noFeedKnown))])
  }

  @Test func `presents that the library cannot be read`() async {
    await interactor(library: LibraryStub(error: .damaged)).syncFeeds(request: request([]))

    #expect(presenter.events == [.failure(.init(failure: .library(.damaged, .sync)))])
  }

  @Test func `needs no library for a feed that is named by its address`() async {
    let worker = SyncStub([.ended(.init(isInterrupted: false))])
    let address = Feed.astronomy.address

    await interactor(worker, library: LibraryStub(error: .damaged))
      .syncFeeds(request: request([.address(address)]))

    #expect(worker.events == [.sync(SyncPlan(feeds: [address], originalBytes: usualBytes))])
  }

  // MARK: Responses

  @Test func `presents each fact in its order`() async {
    let worker = SyncStub([
      .problem(.noThumbnail), .feedFinished(.astronomy), .notice(.paused(feeds: 1)),
      .problem(.notAllowed),
      .feedFinished(.secret), .ended(.init(isInterrupted: false)),
    ])

    await interactor(worker).syncFeeds(request: request([]))

    #expect(
      presenter.events == [
        .syncProblem(.init(problem: .noThumbnail, isOfEveryFeed: true)),
        .syncedFeed(.init(summary: .astronomy)),
        .syncNotice(.init(notice: .paused(feeds: 1))),
        .syncProblem(.init(problem: .notAllowed, isOfEveryFeed: true, isKnown: true)),
        .syncedFeed(.init(summary: .secret)),
        .endedSync(
          .init(outcome: .partly, isInterrupted: false, totals: totals([.astronomy, .secret]))
        ),
      ]
    )
  }

  @Test func `tells of a watch what has changed, and each problem of a feed once`() async {
    var unchanged = FeedSyncSummary.astronomy
    unchanged.status = .unchanged
    (unchanged.thumbnails, unchanged.originals) = (TransferCounts(), TransferCounts())
    var failed = FeedSyncSummary(address: Feed.secret.address, status: .failed)
    failed.problems = [.notAllowed]
    var answered = failed
    (answered.status, answered.problems) = (.unchanged, [])
    let worker = SyncStub([
      .watching(feeds: 2, next: nil), .feedFinished(unchanged), .feedFinished(.astronomy),
      .problem(.notAllowed), .feedFinished(failed), .problem(.notAllowed), .feedFinished(failed),
      .feedFinished(answered), .problem(.notAllowed), .ended(.init(isInterrupted: true)),
    ])
    var request = request([])
    request.plan.isWatching = true

    await interactor(worker).syncFeeds(request: request)

    let problem = SyncFeeds.Problem.Response(problem: .notAllowed, isOfEveryFeed: true)
    #expect(
      presenter.events == [
        .watchedFeeds(.init(feeds: 2)), .syncedFeed(.init(summary: .astronomy)),
        .syncProblem(problem), .syncProblem(problem),
        .endedSync(.init(outcome: .done, isInterrupted: false)),
      ]
    )
  }

  @Test func `tells the flaws of a watched document once, until they change`() async {
    var read = FeedSyncSummary.astronomy
    read.problems = [.damagedDocument]
    var unchanged = read
    (unchanged.status, unchanged.problems) = (.unchanged, [])
    (unchanged.thumbnails, unchanged.originals) = (TransferCounts(), TransferCounts())
    var mended = read
    mended.problems = []
    var other = SyncProblem.damagedDocument
    other.failure = .flaw(.cutMarkup)
    let worker = SyncStub([
      .problem(.damagedDocument), .feedFinished(read),
      .problem(.damagedDocument), .feedFinished(read), .feedFinished(unchanged),
      .problem(.damagedDocument), .problem(other), .feedFinished(read),
      .feedFinished(mended), .problem(.damagedDocument), .ended(.init(isInterrupted: true)),
    ])
    var request = request([])
    request.plan.isWatching = true

    await interactor(worker).syncFeeds(request: request)

    let told = presenter.events.compactMap { event in
      if case .syncProblem(let response) = event { response.problem } else { nil }
    }
    #expect(told == [.damagedDocument, other, .damagedDocument])
  }

  @Test func `tells the flaws of a watched folder again when they come back`() async {
    var summary = FeedSyncSummary(address: .at("file:///pictures/"), status: .unchanged)
    let problem = SyncProblem(
      subject: .document,
      address: summary.address,
      failure: .flaw(.unreadableFiles(1, first: "a.jpg"))
    )
    let whole = summary
    summary.problems = [problem]
    let worker = SyncStub([
      .problem(problem), .feedFinished(summary), .problem(problem), .feedFinished(summary),
      .feedFinished(whole), .problem(problem), .feedFinished(summary),
      .ended(.init(isInterrupted: true)),
    ])
    var request = request([])
    request.plan.isWatching = true

    await interactor(worker).syncFeeds(request: request)

    let count = presenter.events.count { if case .syncProblem = $0 { true } else { false } }
    #expect(count == 2)
  }

  @Test func `watches a library that follows nothing yet, but none that cannot be read`() async {
    let worker = SyncStub([.ended(.init(isInterrupted: true))])
    var request = request([])
    request.plan.isWatching = true

    await interactor(worker, library: LibraryStub(error: .noLibrary)).syncFeeds(request: request)
    await interactor(worker, library: LibraryStub(error: .damaged)).syncFeeds(request: request)

    #expect(worker.events.count == 1)
    #expect(
      presenter.events == [
        .endedSync(.init(outcome: .done, isInterrupted: false)),
        .failure(.init(failure: .library(.damaged, .sync))),
      ]
    )
  }

  @Test func `says that what has ended was a dry run`() async {
    let worker = SyncStub([.ended(.init(isInterrupted: false))])
    var request = request([.id(1)])
    request.plan.isDryRun = true

    await interactor(worker).syncFeeds(request: request)

    let end = SyncFeeds.Ended.Response(
      outcome: .done,
      isInterrupted: false,
      isDryRun: true
    )
    #expect(presenter.events == [.endedSync(end)])
  }

  @Test(arguments: [
    ([], Outcome.done),
    ([FeedSyncSummary.astronomy], .done),
    ([.astronomy.with([.damagedDocument])], .done),
    ([.astronomy.with([.noThumbnail])], .partly),
    ([.astronomy, .secret], .partly),
    ([.secret], .failed),
    ([.secret, .secret], .failed),
  ])
  func `knows what the feeds come to together`(
    _ summaries: [FeedSyncSummary],
    _ outcome: Outcome
  ) async {
    let worker = SyncStub(
      summaries.map { .feedFinished($0) } + [.ended(.init(isInterrupted: false))]
    )

    await interactor(worker).syncFeeds(request: request([]))

    let end = SyncFeeds.Ended.Response(
      outcome: outcome,
      isInterrupted: false,
      totals: totals(summaries)
    )
    #expect(presenter.events.last == .endedSync(end))
  }

  @Test(arguments: [
    (StoreError.Reason.otherLibrary, Outcome.partly), (.otherObjects, .partly),
    (.ignoredConditions, .partly),
    (.objectsUnreachable, .done), (.objectsRefused(status: 503), .done), (.busy, .done),
  ])
  func `a sync is partly done if its object store is not for this library`(
    reason: StoreError.Reason,
    outcome: Outcome
  ) async {
    let error = StoreError(reason: reason, path: "s3://photos/originals", message: "")
    let notice = SyncNotice.notPut(count: 3, error)
    let worker = SyncStub([.notice(notice), .ended(.init(isInterrupted: false))])

    await interactor(worker).syncFeeds(request: request([.id(1)]))

    #expect(
      presenter.events == [
        .syncNotice(.init(notice: notice)),
        .endedSync(.init(outcome: outcome, isInterrupted: false)),
      ]
    )
  }

  @Test func `passes a filter to stop on and tells the end as interrupted`() async {
    let worker = SyncStub([.feedFinished(.astronomy)])
    stop.make()

    await interactor(worker).syncFeeds(request: request([.id(1)]))

    let plan = SyncPlan(feeds: [Feed.astronomy.address], originalBytes: usualBytes)
    #expect(worker.events == [.sync(plan), .stop])
    #expect(
      presenter.events == [
        .syncedFeed(.init(summary: .astronomy)),
        .endedSync(.init(outcome: .done, isInterrupted: true)),
      ]
    )
  }

  // MARK: Announcements of new images

  @Test(
    arguments: [
      (stops: true, reason: "it was ended", ["it was ended", Wording.stoppedTelling]),
      (stops: true, reason: nil, []),
      (stops: false, reason: "it has failed", ["it has failed", "it has failed"]),
      (stops: false, reason: nil, []),
    ] as [(Bool, String?, [String])]
  )
  func `a sync that is to stop ends an announcement, and makes no other after that`(
    stops: Bool,
    reason: String?,
    reasons: [String]
  ) async {
    let teller = TellerStub(stops ? stop : nil, reason)
    var summary = FeedSyncSummary.astronomy
    summary.newIDs = [WebImage.moon.id...WebImage.moon.id]
    let finished = SyncFact.feedFinished(summary)
    let interactor = SyncFeedsInteractor(
      presenter: presenter,
      library: LibraryStub(images: [.moon], feeds: [.astronomy]),
      worker: SyncStub(
        [finished, finished] + (stops ? [] : [.ended(SyncEnd(isInterrupted: false))])
      ),
      tellers: [teller],
      pause: Pauses.never
    )

    await interactor.syncFeeds(request: request([]))

    let told = presenter.events.compactMap { event in
      if case .syncNotice(let response) = event, case .notTold(_, let why) = response.notice {
        why
      } else {
        nil
      }
    }
    #expect(told == reasons)
    #expect(teller.calls.withLock { $0 } == (reasons.contains(Wording.stoppedTelling) ? 1 : 2))
  }

  @Test func `presents where the time went after the end, when the sync measured it`() async {
    let worker = SyncStub([.ended(SyncEnd(isInterrupted: false, timings: .sample))])

    await interactor(worker).syncFeeds(request: request([]))

    #expect(
      presenter.events == [
        .endedSync(.init(outcome: .done, isInterrupted: false)),
        .timedSync(.init(timings: .sample)),
      ]
    )
  }

  @Test(.timeLimit(.minutes(60)))
  func `presents the progress after each pause, until the end`() async {
    let worker = SyncStub([.feedFinished(.astronomy)])
    let pauses = Locked(0)
    let interactor = SyncFeedsInteractor(
      presenter: presenter,
      library: LibraryStub(feeds: [.astronomy]),
      worker: worker,
      pause: { [stop] in
        let count = pauses.withLock { count in
          count += 1
          return count
        }
        if count == 3 { stop.make() }
        if count > 3 { throw CancellationError() }
      }
    )

    await interactor.syncFeeds(request: request([]))

    let progress = presenter.events.compactMap { event in
      if case .syncProgress(let response) = event { response } else { nil }
    }
    #expect(progress.map(\.snapshot) == Array(repeating: .init(), count: progress.count))
    #expect(progress.count <= 3)
    #expect(presenter.events.last == .endedSync(.init(outcome: .done, isInterrupted: true)))
  }

  @Test(.timeLimit(.minutes(60)))
  func `presents no progress after the end`() async {
    let (facts, continuation) = AsyncStream.makeStream(of: SyncFact.self)
    continuation.yield(.ended(SyncEnd(isInterrupted: false)))
    let pauses = Locked(0)
    let interactor = SyncFeedsInteractor(
      presenter: presenter,
      library: LibraryStub(feeds: [.astronomy]),
      worker: GivenSync(run: SyncRun(facts: facts, progress: SyncProgress()) {}),
      pause: {
        let count = pauses.withLock { count in
          count += 1
          return count
        }
        guard count == 100 else { return await Task.yield() }
        continuation.finish()
        throw CancellationError()
      }
    )

    await interactor.syncFeeds(request: request([]))

    #expect(presenter.events.last == .endedSync(.init(outcome: .done, isInterrupted: false)))
  }

  private func totals(_ summaries: [FeedSyncSummary]) -> SyncTally? {
    var tally = SyncTally()
    for summary in summaries { tally.add(summary) }
    return tally.totals(after: .zero)
  }

  private func interactor(
    _ worker: SyncStub = SyncStub(),
    library: LibraryStub = LibraryStub(feeds: [.astronomy, .secret])
  ) -> SyncFeedsInteractor {
    SyncFeedsInteractor(presenter: presenter, library: library, worker: worker, pause: Pauses.never)
  }

  private func request(_ feeds: [FeedArgument]) -> SyncFeeds.Start.Request {
    SyncFeeds.Start.Request(feeds: feeds, stop: stop)
  }
}

/// Asks a sync to stop while it announces images, and then waits until it is ended itself.
private final class TellerStub: NewImageTelling {
  let most = 10
  let calls = Locked(0)
  private let stop: StopRequest?
  private let reason: String?

  init(_ stop: StopRequest?, _ reason: String?) { (self.stop, self.reason) = (stop, reason) }

  func tell(of images: [WebImage], in feed: FeedReference) async -> String? {
    calls.withLock { $0 += 1 }
    if let stop {
      stop.make()
      while !Task.isCancelled { await Task.yield() }
    }
    return reason
  }
}

private struct GivenSync: Syncing {
  let run: SyncRun

  func sync(_ plan: SyncPlan) -> SyncRun { run }
}

extension FeedSyncSummary {
  fileprivate func with(_ problems: [SyncProblem]) -> FeedSyncSummary {
    var summary = self
    summary.problems = problems
    return summary
  }
}
