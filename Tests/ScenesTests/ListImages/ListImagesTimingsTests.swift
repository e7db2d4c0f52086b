import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

struct ListImagesTimingsTests {
  private let presenter = ListImagesPresentationSpy()

  @Test func `tells where the time went behind how the sync came out`() async {
    await sync(.ended(SyncEnd(isInterrupted: false, timings: .sample)))

    let timed = ListImagesPresentationSpy.Event.timedSync(.init(timings: .sample))
    #expect(Array(presenter.events.suffix(2)) == [ended, timed])
  }

  @Test func `tells nothing of it when nobody wanted to know`() async {
    await sync(.ended(SyncEnd(isInterrupted: false)))

    #expect(presenter.events == [.startedSync, ended])
  }

  private var ended: ListImagesPresentationSpy.Event {
    .endedSync(.init(outcome: .done, isInterrupted: false))
  }

  private func sync(_ facts: SyncFact...) async {
    let interactor = ListImagesInteractor(
      presenter: presenter,
      library: LibraryStub(feeds: [.astronomy]),
      syncWorker: SyncStub(facts),
      decoder: ImageDecodingStub()
    )
    await interactor.syncFeeds(request: .init(feeds: [], stop: StopRequest()))
  }
}
