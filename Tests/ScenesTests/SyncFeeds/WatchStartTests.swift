import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

/// The start of a watch while the library cannot be used.
struct WatchStartTests {
  private static let busy = StoreError(reason: .busy, path: "/library", message: "")

  private let presenter = SyncFeedsPresentationSpy()
  private let stop = StopRequest()
  private let worker = SyncStub([.ended(.init(isInterrupted: true))])

  private func watch(_ manager: LibraryManagingSpy, pause: @escaping Pause = {}) async {
    let interactor = SyncFeedsInteractor(
      presenter: presenter,
      library: LibraryStub(feeds: [.astronomy]),
      manager: manager,
      worker: worker,
      settings: [ConfiguredFeed(feed: .id(1), change: .title("Stars"))],
      pause: pause
    )
    var request = SyncFeeds.Start.Request(feeds: [], stop: stop)
    request.plan.isWatching = true
    await interactor.syncFeeds(request: request)
  }

  @Test func `waits until the library takes writes, and tells that once`() async {
    let manager = LibraryManagingSpy(error: Self.busy, failures: 3)

    await watch(manager)

    #expect(
      presenter.events == [
        .syncNotice(.init(notice: .waitingForLibrary(Self.busy))),
        .endedSync(.init(outcome: .done, isInterrupted: false)),
      ]
    )
    #expect(manager.events.count >= 4)
    #expect(worker.events.count == 1)
  }

  @Test func `is stopped while it waits`() async {
    let stop = stop

    await watch(LibraryManagingSpy(error: Self.busy)) { stop.make() }

    #expect(
      presenter.events == [
        .syncNotice(.init(notice: .waitingForLibrary(Self.busy))),
        .endedSync(.init(outcome: .done, isInterrupted: false)),
      ]
    )
  }

  @Test func `ends where waiting would not help`() async {
    let error = StoreError(reason: .foreign, path: "/library", message: "it has other tables")

    await watch(LibraryManagingSpy(error: error))

    #expect(presenter.events == [.failure(.init(failure: .library(error, .change)))])
    #expect(worker.events.isEmpty)
  }
}
