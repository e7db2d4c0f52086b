import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

struct ListFeedsInteractorTests {
  private let presenter = ListFeedsPresentationSpy()

  @Test func `presents the feeds that are followed and holds them`() {
    let interactor = interactor()

    interactor.fetchFeeds()

    #expect(presenter.events == [.fetchedFeeds(.init(feeds: [.astronomy, .secret]))])
    #expect(interactor.feeds == [.astronomy, .secret])
  }

  @Test func `presents that there are none`() {
    interactor(LibraryStub()).fetchFeeds()

    #expect(presenter.events == [.fetchedFeeds(.init(feeds: []))])
  }

  @Test func `presents that the library cannot be read`() {
    let interactor = interactor(LibraryStub(error: .damaged))

    interactor.fetchFeeds()
    interactor.removeFeed(request: .init(feed: .id(1), isPurging: false))

    #expect(
      presenter.events == [
        .failure(.init(failure: .library(.damaged, .list))),
        .failure(.init(failure: .library(.damaged, .remove))),
      ]
    )
  }

  @Test(arguments: [FeedArgument.id(1), .address(Feed.astronomy.address)], [true, false])
  func `removes the feed that is meant`(_ feed: FeedArgument, _ isPurging: Bool) {
    let removed = RemovedFeed(feed: .astronomy, images: 120, originals: 3)
    let remover = FeedRemovingStub(.success(removed))

    interactor(remover: remover).removeFeed(request: .init(feed: feed, isPurging: isPurging))

    #expect(remover.removals == [.init(id: 1, isPurging: isPurging)])
    #expect(presenter.events == [.removedFeed(.init(removed: removed, wasPurged: isPurging))])
  }

  @Test func `removes nothing when no such feed is followed`() {
    let remover = FeedRemovingStub()

    interactor(remover: remover).removeFeed(request: .init(feed: .id(9), isPurging: true))

    #expect(remover.removals == [])
    #expect(presenter.events == [.failure(.init(failure: .noSuchFeed(.id(9))))])
  }

  @Test func `presents a feed that another process has just removed as unknown`() {
    let remover = FeedRemovingStub(.success(nil))

    interactor(remover: remover).removeFeed(request: .init(feed: .id(1), isPurging: false))

    #expect(presenter.events == [.failure(.init(failure: .noSuchFeed(.id(1))))])
  }

  @Test func `presents that the library cannot be written`() {
    let remover = FeedRemovingStub(.failure(.damaged))

    interactor(remover: remover).removeFeed(request: .init(feed: .id(1), isPurging: false))

    #expect(presenter.events == [.failure(.init(failure: .library(.damaged, .remove)))])
  }

  private func interactor(
    _ library: LibraryStub = LibraryStub(feeds: [.astronomy, .secret]),
    remover: FeedRemovingStub = FeedRemovingStub()
  ) -> ListFeedsInteractor {
    ListFeedsInteractor(presenter: presenter, library: library, remover: remover)
  }
}
