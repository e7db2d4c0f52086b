import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

struct ShowImageInteractorTests {
  private let presenter = ShowImagePresentationSpy()
  private let exporter = PictureExportingStub()
  private let marker = DamageMarkingSpy()

  // MARK: Stored pictures

  @Test func `presents the thumbnail, then progress, then the original`() async {
    let mega = 1 << 20
    let worker = OriginalFetchingStub(
      steps: [(mega, 4_404_019), (4_404_019, 4_404_019)],
      .success(.moon)
    )
    let interactor = interactor(worker: worker)

    await interactor.fetchThumbnail(request: .init())
    await interactor.fetchOriginal(request: .init(stop: StopRequest()))

    #expect(worker.requests == [OriginalRequest(.moon)])
    // The arrival of an original already counts as a look, so the interactor records none.
    #expect(worker.looks == [])
    #expect(
      presenter.events == [
        .thumbnail(.init(image: .moon, thumbnail: .smallMoon)),
        .progress(.init(imageID: 7, received: mega, total: 4_404_019)),
        .progress(.init(imageID: 7, received: 4_404_019, total: 4_404_019)),
        .original(.init(image: .moon, fetched: .moon, copy: nil)),
      ]
    )
  }

  /// The worker makes none that is right, as when the one that the feed names is stored.
  @Test func `has a missing thumbnail made once an original has arrived, named by the feed or not`()
    async
  {
    let worker = OriginalFetchingStub(.success(.moon))

    await interactor(image: .unnamed, worker: worker)
      .fetchOriginal(request: .init(stop: StopRequest()))
    await interactor(worker: worker).fetchOriginal(request: .init(stop: StopRequest()))

    #expect(worker.thumbnailIDs == [WebImage.unnamed.id, WebImage.moon.id])
  }

  @Test func `asks no server for an original that is stored`() async {
    let library = LibraryStub(original: .moon)
    let worker = OriginalFetchingStub(.success(.moon))

    await interactor(library, worker: worker).fetchOriginal(request: .init(stop: StopRequest()))

    #expect(library.events == [.original(imageID: 7)])
    #expect(worker.requests == [])
    #expect(presenter.events == [.original(.stored(.moon))])
    // The look makes other originals give way before this one.
    #expect(worker.looks == [.moon])
  }

  @Test func `says nothing of a thumbnail that is not stored, unless it is all that is wanted`()
    async
  {
    let interactor = interactor(image: .unnamed)

    await interactor.fetchThumbnail(request: .init())
    #expect(presenter.events == [])

    await interactor.fetchThumbnail(request: .init(isAllWanted: true))
    #expect(presenter.events == [.failure(.init(failure: .noThumbnail(imageID: 8)))])
  }

  @Test func `explains an image that the library has, and no other`() async {
    let feed = Feed(id: 1, address: WebImage.moon.feed.address)

    await interactor(LibraryStub(feeds: [feed])).explainImage()
    await interactor().explainImage()

    #expect(
      presenter.events == [
        .explanation(.init(image: .moon, storage: ImageStorage(feed: feed))),
        .failure(.init(failure: .noSuchImage(id: 7))),
      ]
    )
  }

  @Test func `describes the image`() async {
    await interactor().describeImage()

    #expect(presenter.events == [.description(.init(image: .moon))])
  }

  @Test func `describes the image with what the camera has written into its original`() async {
    let library = LibraryStub(original: .moon)
    var details = PictureDetails()
    details.camera = StoredOriginal.moon.sha256

    await interactor(library, details: HashDetails()).describeImage()
    await interactor(details: HashDetails()).describeImage()

    #expect(
      presenter.events == [
        .description(.init(image: .moon, original: .moon, details: details)),
        .description(.init(image: .moon)),
      ]
    )
  }

  @Test(arguments: [true, false])
  func `pins the image, and describes it as it is then`(isPinned: Bool) async {
    let pins = LibraryManagingSpy()
    var image = WebImage.moon
    image.isPinned = !isPinned

    await interactor(image: image, pins: pins).pinImage(request: .init(isPinned: isPinned))

    image.isPinned = isPinned
    #expect(pins.events == [.setPinned(isPinned, imageIDs: [7])])
    #expect(presenter.events == [.description(.init(image: image))])
  }

  @Test(
    arguments: [
      (LibraryManagingSpy(missing: [7]), RequestFailure.noSuchImage(id: 7)),
      (LibraryManagingSpy(error: .damaged), .library(.damaged, .show)),
    ]
  )
  func `presents that an image could not be pinned`(
    pins: LibraryManagingSpy,
    failure: RequestFailure
  ) async {
    await interactor(pins: pins).pinImage(request: .init(isPinned: true))

    #expect(presenter.events == [.failure(.init(failure: failure))])
  }

  @Test func `presents that no image is selected before it was passed one`() async {
    let interactor = interactor(image: nil)

    await interactor.fetchThumbnail(request: .init(isAllWanted: true))
    await interactor.fetchOriginal(request: .init(stop: StopRequest()))
    await interactor.describeImage()
    await interactor.pinImage(request: .init(isPinned: true))
    await interactor.readThumbnail()

    #expect(
      presenter.events == Array(repeating: .failure(.init(failure: .noImageSelected)), count: 5)
    )
  }

  @Test func `presents that the library cannot be read`() async {
    let library = LibraryStub(error: .damaged)

    await interactor(library).fetchOriginal(request: .init(stop: StopRequest()))

    #expect(presenter.events == [.failure(.init(failure: .library(.damaged, .show)))])
  }

  @Test func `reads the bytes of the thumbnail, and asks no server`() async {
    let worker = OriginalFetchingStub(.success(.moon))

    await interactor(LibraryStub(thumbnail: [1, 2, 3]), worker: worker).readThumbnail()

    #expect(worker.requests == [])
    #expect(
      presenter.events == [.readThumbnail(.init(thumbnail: .smallMoon, bytes: [1, 2, 3]))]
    )
  }

  @Test func `presents that there are no bytes, and marks those that are damaged`() async {
    await interactor(image: .unnamed).readThumbnail()
    await interactor().readThumbnail()

    let failures = [
      RequestFailure.noThumbnail(imageID: 8),
      .noThumbnail(imageID: 7, isDamaged: true),
    ]
    #expect(presenter.events == failures.map { .failure(.init(failure: $0)) })
    #expect(marker.damaged == [.thumbnail(imageID: 7)])
  }

  @Test(.timeLimit(.minutes(60)))
  func `presents progress again while nothing comes`() async {
    let worker = OriginalFetchingStub(steps: [(1, 9)], nil)
    let stop = StopRequest()
    presenter.whenProgress = { [presenter] in if presenter.events.count == 3 { stop.make() } }

    await interactor(worker: worker, pause: { await Task.yield() })
      .fetchOriginal(request: .init(stop: stop))

    let progress = ShowImagePresentationSpy.Event.progress(.init(imageID: 7, received: 1, total: 9))
    #expect(presenter.events.prefix(3) == [progress, progress, progress])
  }

  @Test(.timeLimit(.minutes(60)))
  func `presents that the server is asked again before anything comes`() async {
    let wait = NetworkWaits.Wait(
      status: 503,
      cause: nil,
      delay: .seconds(4),
      retry: 1,
      retries: 4
    )
    let worker = OriginalFetchingStub(wait: wait, nil)
    let stop = StopRequest()
    presenter.whenProgress = { stop.make() }

    await interactor(worker: worker, pause: { await Task.yield() })
      .fetchOriginal(request: .init(stop: stop))

    let waits = presenter.events.compactMap { event in
      if case .progress(let response) = event { response.wait?.cause } else { nil }
    }
    #expect(waits.first == wait)
    #expect(worker.requests == [OriginalRequest(.moon)])
  }

  // MARK: Failures

  @Test func `presents why an original cannot be had`() async {
    let worker = OriginalFetchingStub(.failure(.status(404)))

    await interactor(worker: worker).fetchOriginal(request: .init(stop: StopRequest()))

    #expect(
      presenter.events == [
        .unavailableOriginal(.init(image: .moon, failure: .status(404), stored: nil))
      ]
    )
  }

  @Test func `asks no server for an original when it may not use the network`() async {
    let worker = OriginalFetchingStub(.success(.moon))
    let request = ShowImage.FetchOriginal.Request(mayAskNetwork: false, stop: StopRequest())

    await interactor(worker: worker).fetchOriginal(request: request)

    #expect(worker.requests == [])
    #expect(
      presenter.events == [
        .unavailableOriginal(.init(image: .moon, failure: .offline, stored: nil))
      ]
    )
  }

  @Test func `presents the original before when the new one cannot be had`() async {
    let worker = OriginalFetchingStub(.failure(.status(503)))
    let library = LibraryStub(original: .staleMoon)

    await interactor(library, worker: worker).fetchOriginal(request: .init(stop: StopRequest()))

    #expect(worker.requests == [OriginalRequest(.moon)])
    #expect(
      presenter.events == [
        .unavailableOriginal(.init(image: .moon, failure: .status(503), stored: .staleMoon)),
        .original(.stored(.staleMoon)),
      ]
    )
  }

  @Test func `replaces the original before by the new one`() async {
    let library = LibraryStub(original: .staleMoon)
    let worker = OriginalFetchingStub(.success(.moon))

    await interactor(library, worker: worker).fetchOriginal(request: .init(stop: StopRequest()))

    let response = ShowImage.FetchOriginal.Response(
      image: .moon,
      fetched: .moon
    )
    #expect(presenter.events == [.original(response)])
  }

  // MARK: Refreshing

  @Test func `asks whether a stored original has changed`() async {
    let worker = OriginalFetchingStub(.success(.unchangedMoon))
    let request = ShowImage.FetchOriginal.Request(isRefresh: true, stop: StopRequest())

    await interactor(LibraryStub(original: .moon), worker: worker).fetchOriginal(request: request)

    #expect(worker.requests == [OriginalRequest(.moon, isCheck: true)])
    #expect(
      presenter.events == [.original(.init(image: .moon, fetched: .unchangedMoon, copy: nil))]
    )
  }

  @Test func `presents what is stored when no server can say whether it has changed`() async {
    let request = ShowImage.FetchOriginal.Request(isRefresh: true, stop: StopRequest())
    let worker = OriginalFetchingStub(.failure(.status(503)))

    await interactor(LibraryStub(original: .moon), worker: worker).fetchOriginal(request: request)

    #expect(
      presenter.events == [
        .unavailableOriginal(
          .init(image: .moon, failure: .status(503), stored: .moon, isRefresh: true)
        ),
        .original(.stored(.moon)),
      ]
    )
  }

  @Test func `passes a wish to stop on to the fetch`() async {
    let stop = StopRequest()
    stop.make()

    await interactor(worker: OriginalFetchingStub(nil)).fetchOriginal(request: .init(stop: stop))

    #expect(
      presenter.events == [
        .unavailableOriginal(.init(image: .moon, failure: .interrupted, stored: nil))
      ]
    )
  }

  // MARK: Copies

  @Test(arguments: [
    ExportDestination.file(path: "/home/ann/moon.jpg", isReplacing: true), .standardOutput,
  ])
  func `copies the original before it is presented`(_ destination: ExportDestination) async {
    let request = ShowImage.FetchOriginal.Request(destination: destination, stop: StopRequest())

    await interactor(LibraryStub(original: .moon)).fetchOriginal(request: request)

    #expect(exporter.copies == [.init(.original(.moon), to: destination)])
    #expect(presenter.events == [.original(.stored(.moon, copy: destination))])
  }

  @Test func `copies the thumbnail before it is presented`() async {
    let interactor = interactor(LibraryStub(thumbnail: [1, 2, 3]))

    await interactor.fetchThumbnail(request: .init(isAllWanted: true, destination: .standardOutput))

    #expect(exporter.copies == [.init(.thumbnail([1, 2, 3]), to: .standardOutput)])
    #expect(
      presenter.events == [
        .thumbnail(.init(image: .moon, thumbnail: .smallMoon, isAll: true, copy: .standardOutput))
      ]
    )
  }

  @Test func `presents a file that may not be replaced, and no picture`() async {
    let destination = ExportDestination.file(path: "/home/ann/moon.jpg", isReplacing: false)
    let exists = ExportError.exists(path: "/home/ann/moon.jpg")
    let interactor = interactor(
      LibraryStub(thumbnail: [1], original: .moon),
      exporter: PictureExportingStub(error: exists)
    )

    await interactor.fetchThumbnail(request: .init(isAllWanted: true, destination: destination))
    await interactor.fetchOriginal(request: .init(destination: destination, stop: StopRequest()))

    let failure = ShowImagePresentationSpy.Event.failure(.init(failure: .export(exists)))
    #expect(presenter.events == [failure, failure])
  }

  @Test func `presents a thumbnail that is gone when it is to be copied`() async {
    await interactor().fetchThumbnail(
      request: .init(isAllWanted: true, destination: .standardOutput)
    )

    let failure = RequestFailure.noThumbnail(imageID: 7, isDamaged: true)
    #expect(presenter.events == [.failure(.init(failure: failure))])
    #expect(exporter.copies == [])
    #expect(marker.damaged == [.thumbnail(imageID: 7)])
  }

  // MARK: Damage

  @Test func `hands out no thumbnail that was found damaged`() async {
    var image = WebImage.moon
    image.isThumbnailDamaged = true
    let interactor = interactor(LibraryStub(thumbnail: [1, 2, 3]), image: image)

    await interactor.fetchThumbnail(request: .init())
    await interactor.fetchThumbnail(request: .init(isAllWanted: true))

    let failure = RequestFailure.noThumbnail(imageID: 7, isDamaged: true)
    #expect(presenter.events == [.failure(.init(failure: failure))])
  }

  @Test func `fetches a damaged original again`() async {
    let worker = OriginalFetchingStub(.success(.moon))
    let interactor = interactor(LibraryStub(original: .damagedMoon), worker: worker)

    await interactor.fetchOriginal(request: .init(stop: StopRequest()))

    #expect(worker.requests == [OriginalRequest(.moon)])
    #expect(marker.damaged == [.damagedMoon])
    #expect(presenter.events == [.original(.init(image: .moon, fetched: .moon, copy: nil))])
  }

  @Test func `hands out nothing in the place of a damaged original`() async {
    let interactor = interactor(LibraryStub(original: .damagedMoon))

    await interactor.fetchOriginal(request: .init(mayAskNetwork: false, stop: StopRequest()))

    let unavailable = ShowImage.FetchOriginal.Unavailable.Response(
      image: .moon,
      failure: .offline,
      isDamaged: true
    )
    #expect(presenter.events == [.unavailableOriginal(unavailable)])
    #expect(unavailable.outcome == .unavailable)
  }

  @Test func `hands out a damaged original where that is wished, with a warning`() async {
    let interactor = interactor(LibraryStub(original: .damagedMoon))

    await interactor.fetchOriginal(
      request: .init(mayAskNetwork: false, takesDamaged: true, stop: StopRequest())
    )

    let unavailable = ShowImage.FetchOriginal.Unavailable.Response(
      image: .moon,
      failure: .offline,
      stored: .damagedMoon,
      isDamaged: true
    )
    #expect(
      presenter.events == [.unavailableOriginal(unavailable), .original(.stored(.damagedMoon))]
    )
    #expect(unavailable.outcome == .partly)
  }

  @Test func `fetches an original again that turns out to be damaged while it is copied`() async {
    let destination = ExportDestination.file(path: "/home/ann/moon.jpg", isReplacing: false)
    let damaged = ExportError.damaged(path: StoredOriginal.moon.path, isSpilt: false)
    let exporter = PictureExportingStub(error: damaged, failsOnce: true)
    let worker = OriginalFetchingStub(.success(.moon))
    let interactor = interactor(
      LibraryStub(original: .moon),
      worker: worker,
      exporter: exporter
    )

    await interactor.fetchOriginal(request: .init(destination: destination, stop: StopRequest()))

    #expect(worker.requests == [OriginalRequest(.moon)])
    #expect(marker.damaged == [.original(path: StoredOriginal.moon.path, imageIDs: [7])])
    #expect(exporter.copies.count == 2)
    #expect(presenter.events == [.original(.init(image: .moon, fetched: .moon, copy: destination))])
  }

  @Test func `asks no server for a damaged original of which a part has gone into a pipe`() async {
    let damaged = ExportError.damaged(path: StoredOriginal.moon.path, isSpilt: true)
    let worker = OriginalFetchingStub(.success(.moon))
    let interactor = interactor(
      LibraryStub(original: .moon),
      worker: worker,
      exporter: PictureExportingStub(error: damaged)
    )

    await interactor.fetchOriginal(
      request: .init(destination: .standardOutput, stop: StopRequest())
    )

    #expect(worker.requests == [])
    #expect(marker.damaged.count == 1)
    #expect(presenter.events == [.failure(.init(failure: .export(damaged)))])
    #expect(RequestFailure.export(damaged).outcome == .unavailable)
    let unreachable = StoreError(reason: .objectsUnreachable, path: "s3://photos", message: "")
    #expect(RequestFailure.library(unreachable, .show).outcome == .unavailable)
  }

  private func interactor(
    _ library: LibraryStub = LibraryStub(),
    image: WebImage? = .moon,
    worker: OriginalFetchingStub = OriginalFetchingStub(.failure(.offline)),
    exporter: PictureExportingStub? = nil,
    pins: LibraryManagingSpy = LibraryManagingSpy(),
    details: (any PictureDetailing)? = nil,
    pause: @escaping Pause = Pauses.never
  ) -> ShowImageInteractor {
    let interactor = ShowImageInteractor(
      presenter: presenter,
      library: library,
      originalWorker: worker,
      exporter: exporter ?? self.exporter,
      opener: PictureOpeningStub(),
      decoder: ImageDecodingStub(),
      marker: marker,
      pins: pins,
      details: details,
      pause: pause
    )
    interactor.image = image
    return interactor
  }
}

/// Tells the hash of an original as its camera.
private struct HashDetails: PictureDetailing {
  func details(of original: StoredOriginal) async -> PictureDetails? {
    var details = PictureDetails()
    details.camera = original.sha256
    return details
  }
}

extension CheckedThing {
  fileprivate static let damagedMoon = original(
    path: StoredOriginal.damagedMoon.path,
    imageIDs: [7]
  )
}

extension ShowImage.FetchOriginal.Response {
  /// The original of the moon, already stored.
  fileprivate static func stored(
    _ original: StoredOriginal,
    copy: ExportDestination? = nil
  ) -> Self {
    Self(
      image: .moon,
      fetched: FetchedOriginal(original: original, wasDownloaded: false, wireBytes: 0),
      copy: copy
    )
  }
}
