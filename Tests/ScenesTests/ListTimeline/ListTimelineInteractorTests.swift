import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

struct ListTimelineInteractorTests {
  private let presenter = ListTimelinePresentationSpy()

  private func interactor(_ library: LibraryStub) -> ListTimelineInteractor {
    ListTimelineInteractor(presenter: presenter, library: library, timelines: Timelines(library))
  }

  @Test func `presents a whole list in buckets, and the tiles of one`() async {
    let interactor = interactor(LibraryStub(images: [.moon, .unnamed]))
    let query = ImageQuery(order: .title)

    await interactor.fetchTimeline(request: .init(query: query))
    await interactor.fetchBucket(request: .init(query: query, index: 0, version: 1))
    await interactor.fetchBucket(request: .init(query: query, index: 0))

    let buckets = [Timelines.Bucket(start: 0, count: 2, month: nil)]
    let tiles = [
      ImageTile(id: 7, name: WebImage.moon.title, thumbnail: WebImage.moon.thumbnail?.hash),
      ImageTile(id: 8),
    ]
    #expect(
      presenter.events == [
        .fetchedTimeline(.init(version: 1, total: 2, order: .title, buckets: buckets)),
        .fetchedBucket(.init(tiles: tiles)), .fetchedBucket(.init(tiles: tiles)),
      ]
    )
  }

  @Test(arguments: [(7, 1, RequestFailure.noSuchBucket), (0, 2, .listHasChanged)])
  func `presents that there is no such bucket, or none of this version`(
    index: Int,
    version: Int64,
    failure: RequestFailure
  ) async {
    let interactor = interactor(LibraryStub(images: [.moon]))

    await interactor.fetchBucket(
      request: .init(query: ImageQuery(), index: index, version: version)
    )

    #expect(presenter.events == [.failure(.init(failure: failure))])
  }

  @Test func `a timeline is empty while there is no library, and fails when it is damaged`() async {
    let missing = StoreError(reason: .noLibrary, path: "/library", message: "")
    await interactor(LibraryStub(error: missing))
      .fetchTimeline(request: .init(query: ImageQuery()))
    await interactor(LibraryStub(error: .damaged))
      .fetchTimeline(request: .init(query: ImageQuery()))

    #expect(
      presenter.events == [
        .fetchedTimeline(.init(version: 0, total: 0, order: .newest, buckets: [])),
        .failure(.init(failure: .library(.damaged, .show))),
      ]
    )
  }
}
