import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

struct ListFeedsInteractorTests {
  private let presenter = ListFeedsPresentationSpy()

  @Test func `presents the feeds that are followed`() async {
    await interactor().fetchFeeds()

    #expect(presenter.events == [.fetchedFeeds(.init(feeds: [.astronomy, .secret]))])
  }

  @Test func `presents which pictures failed lately`() async {
    let failures = [Int64(1): [FailureGroup].failing]

    await interactor(LibraryStub(feeds: [.astronomy], failures: failures)).fetchFeeds()

    #expect(
      presenter.events == [.fetchedFeeds(.init(feeds: [.astronomy], failures: failures))]
    )
  }

  @Test func `presents that there are none`() async {
    await interactor(LibraryStub()).fetchFeeds()

    #expect(presenter.events == [.fetchedFeeds(.init(feeds: []))])
  }

  @Test func `presents the manifests that images are from`() async {
    let hours = FeedManifest(
      id: 3,
      feedID: 1,
      address: .at("https://a.b/m"),
      label: "Hours",
      imageCount: 1
    )
    await interactor(LibraryStub(manifests: [hours])).fetchManifests()

    #expect(presenter.events == [.fetchedManifests(.init(manifests: [hours]))])
    let people = ListFeedsDisplaySpy()
    ListFeedsPresenter(display: people)
      .presentFetchedManifests(response: .init(manifests: [hours]))
    #expect(
      people.events == [
        .fetchedManifests(.init(rows: [["1", "Hours", "https://a.b/m", "1 image"]]))
      ]
    )
    let scripts = RecordDisplaySpy()
    ListFeedsJSONPresenter(display: scripts)
      .presentFetchedManifests(response: .init(manifests: [hours]))
    #expect(
      scripts.events == [
        .records(.init(["feed": 1, "url": "https://a.b/m", "title": "Hours", "images": 1]))
      ]
    )
  }

  @Test func `presents that the library cannot be read`() async {
    let interactor = interactor(LibraryStub(error: .damaged))

    await interactor.fetchFeeds()
    await interactor.removeFeed(request: .init(feed: .id(1), isPurging: false))

    #expect(
      presenter.events == [
        .failure(.init(failure: .library(.damaged, .list))),
        .failure(.init(failure: .library(.damaged, .remove))),
      ]
    )
  }

  @Test(
    arguments: [FeedArgument.id(1), .address(Feed.astronomy.address), .named("Astronomy")],
    [true, false]
  )
  func `removes the feed that is meant`(_ feed: FeedArgument, _ isPurging: Bool) async {
    let removed = RemovedFeed(feed: .astronomy, images: 120, originals: 3)
    let manager = LibraryManagingSpy(removed: removed)

    await interactor(manager: manager).removeFeed(request: .init(feed: feed, isPurging: isPurging))

    #expect(manager.events == [.removal(id: 1, isPurging: isPurging)])
    #expect(presenter.events == [.removedFeed(.init(removed: removed, wasPurged: isPurging))])
  }

  @Test func `removes the followed feeds of a range, and gives none of them a title`() async {
    let removed = RemovedFeed(feed: .astronomy, images: 120, originals: 3)
    let manager = LibraryManagingSpy(removed: removed)
    let range = FeedArgument.named("1-100")

    await interactor(manager: manager).removeFeed(request: .init(feed: range, isPurging: false))
    await interactor(manager: manager).changeFeed(
      request: .init(feed: range, change: .title("Moon"))
    )

    let ids = [Feed.astronomy.id, Feed.secret.id].sorted()
    #expect(manager.events == ids.map { .removal(id: $0, isPurging: false) })
    #expect(presenter.events.last == .failure(.init(failure: .titleOfSeveral(range))))
  }

  @Test func `a feed of a range that went with another one is no failure`() async {
    let manager = LibraryManagingSpy()

    await interactor(manager: manager).removeFeed(
      request: .init(feed: .named("1-100"), isPurging: false)
    )

    #expect(manager.events.count == 2)
    #expect(presenter.events == [])
  }

  @Test func `removes nothing when no such feed is followed`() async {
    let manager = LibraryManagingSpy()

    await interactor(manager: manager).removeFeed(request: .init(feed: .id(9), isPurging: true))

    #expect(manager.events == [])
    #expect(presenter.events == [.failure(.init(failure: .noSuchFeed(.id(9))))])
  }

  @Test func `presents a feed that another process has just removed as unknown`() async {
    let manager = LibraryManagingSpy()

    await interactor(manager: manager).removeFeed(request: .init(feed: .id(1), isPurging: false))

    #expect(presenter.events == [.failure(.init(failure: .noSuchFeed(.id(1))))])
  }

  @Test func `presents that the library cannot be written`() async {
    let manager = LibraryManagingSpy(error: .damaged)

    await interactor(manager: manager).removeFeed(request: .init(feed: .id(1), isPurging: false))

    #expect(presenter.events == [.failure(.init(failure: .library(.damaged, .remove)))])
  }

  @Test func `gives no title to the feeds of a range, and says why`() async {
    let range = FeedArgument.named("1-100")
    let manager = LibraryManagingSpy()

    await interactor(manager: manager).changeFeed(
      request: .init(feed: range, change: .title("Night sky"))
    )

    #expect(manager.events == [])
    #expect(presenter.events == [.failure(.init(failure: .titleOfSeveral(range)))])
    let message = Wording.message(RequestFailure.titleOfSeveral(range)).described
    #expect(message == "'1-100' names several feeds, and a title is for one")
  }

  @Test(arguments: ["Night sky", nil])
  func `gives the feed that is meant a title, or takes it back`(_ title: String?) async {
    var named = Feed.astronomy
    named.givenTitle = title
    let manager = LibraryManagingSpy(changed: named)

    await interactor(manager: manager).changeFeed(
      request: .init(feed: .named("astronomy"), change: .title(title))
    )

    #expect(manager.events == [.change(.title(title), id: 1)])
    #expect(presenter.events == [.changedFeed(.init(feed: named, change: .title(title)))])
  }

  @Test func `presents the feeds that share the title which one is named by`() async {
    var other = Feed.secret
    other.givenTitle = "Astronomy"
    let manager = LibraryManagingSpy()
    let interactor = interactor(LibraryStub(feeds: [.astronomy, other]), manager: manager)

    await interactor.changeFeed(request: .init(feed: .named("Astronomy"), change: .title("Moon")))
    await interactor.removeFeed(request: .init(feed: .named("Astronomy"), isPurging: true))

    let failure = RequestFailure.ambiguousTitle([.astronomy, other])
    #expect(manager.events == [])
    #expect(
      presenter.events == [.failure(.init(failure: failure)), .failure(.init(failure: failure))]
    )
  }

  @Test func `presents the feeds of which one has the name as path and another as title`() async {
    let folder = Feed(id: 7, address: .at("file:///home/ann/Astronomy/"), title: "Mine")
    let manager = LibraryManagingSpy()
    let interactor = interactor(LibraryStub(feeds: [.astronomy, folder]), manager: manager)
    let name = FeedArgument.named("Astronomy")
    guard case .name(let feedName) = name else { return #expect(Bool(false), "\(name)") }

    await interactor.removeFeed(request: .init(feed: name, isPurging: true))

    #expect(manager.events == [])
    #expect(
      presenter.events == [.failure(.init(failure: .titleAndPath(feedName, [folder, .astronomy])))]
    )
  }

  private func interactor(
    _ library: LibraryStub = LibraryStub(feeds: [.astronomy, .secret]),
    manager: LibraryManagingSpy = LibraryManagingSpy()
  ) -> ListFeedsInteractor {
    ListFeedsInteractor(presenter: presenter, library: library, manager: manager)
  }
}
