import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

/// The requests to decode and open pictures, for a display that draws them.
struct ShowImageDrawingTests {
  private let presenter = ShowImagePresentationSpy()
  private let room = PixelSize(width: 800, height: 600)
  private let pixels = DecodedPixels.plain()

  @Test func `presents the pixels of the thumbnail and of the original`() async {
    let decoder = ImageDecodingStub { [pixels] _ in .success(pixels) }
    let interactor = interactor(LibraryStub(thumbnail: [1], original: .moon), decoder)

    await interactor.fetchThumbnail(request: .init(room: room))
    await interactor.fetchOriginal(request: .init(room: room, stop: StopRequest()))

    #expect(
      presenter.events == [
        .thumbnail(.init(image: .moon, thumbnail: .smallMoon, pixels: .success(pixels))),
        .original(.init(image: .moon, fetched: .storedMoon, pixels: .success(pixels))),
      ]
    )
    #expect(
      decoder.questions == [
        .init(.bytes([1]), fitting: room, .whole),
        .init(.file(path: StoredOriginal.moon.path), fitting: room, .whole),
      ]
    )
  }

  @Test func `presents why there are no pixels`() async {
    let interactor = interactor(LibraryStub(original: .moon), ImageDecodingStub())

    await interactor.fetchOriginal(request: .init(room: room, stop: StopRequest()))

    let error = ImagingError.undecodable(message: "it is cut")
    #expect(
      presenter.events == [
        .original(.init(image: .moon, fetched: .storedMoon, pixels: .failure(error)))
      ]
    )
  }

  // MARK: While the original arrives

  @Test(.timeLimit(.minutes(60)))
  func `presents what has come of an original while more arrives`() async {
    let part = PictureSource.file(path: "/partial/7")
    let decoder = ImageDecodingStub { [pixels] _ in .success(pixels) }
    let worker = OriginalFetchingStub(steps: [(1, 9)], partial: part, nil)
    let stop = StopRequest()
    presenter.whenPartial = { stop.make() }

    await interactor(LibraryStub(), decoder, worker: worker)
      .fetchOriginal(request: .init(room: room, stop: stop))

    #expect(
      presenter.events == [
        .progress(.init(imageID: 7, received: 1, total: 9, partial: part)),
        .partialOriginal(.init(pixels: pixels)),
        .unavailableOriginal(.init(image: .moon, failure: .interrupted, stored: nil)),
      ]
    )
    #expect(decoder.questions == [.init(part, fitting: room, .asFarAsItCame)])
  }

  @Test func `decodes no part for a display that draws nothing`() async {
    let decoder = ImageDecodingStub()
    let worker = OriginalFetchingStub(
      steps: [(1, 9)],
      partial: .file(path: "/partial/7"),
      .success(.moon)
    )

    await interactor(LibraryStub(), decoder, worker: worker)
      .fetchOriginal(request: .init(stop: StopRequest()))

    #expect(decoder.questions == [])
  }

  @Test func `decodes no part of what arrives at once`() async {
    let decoder = ImageDecodingStub { [pixels] _ in .success(pixels) }
    let worker = OriginalFetchingStub(
      steps: [(1, 9), (9, 9)],
      partial: .file(path: "/partial/7"),
      .success(.moon)
    )
    let start = ContinuousClock.now

    await interactor(LibraryStub(), decoder, worker: worker, now: { start })
      .fetchOriginal(request: .init(room: room, stop: StopRequest()))

    #expect(decoder.questions.map(\.extent) == [.whole])
  }

  // MARK: Opening

  @Test func `opens the original once it is there`() async {
    let opener = PictureOpeningStub()

    await interactor(LibraryStub(original: .moon), opener: opener)
      .fetchOriginal(request: .init(isOpened: true, stop: StopRequest()))

    #expect(opener.opened == [.moon])
  }

  @Test func `opens nothing that it was not asked to, or that is not there`() async {
    let opener = PictureOpeningStub()

    await interactor(LibraryStub(original: .moon), opener: opener)
      .fetchOriginal(request: .init(stop: StopRequest()))
    await interactor(LibraryStub(), opener: opener)
      .fetchOriginal(request: .init(mayAskNetwork: false, isOpened: true, stop: StopRequest()))

    #expect(opener.opened == [])
  }

  @Test func `presents why an original was not opened`() async {
    let error = OpeningError.activeContent(.svg)

    await interactor(LibraryStub(original: .moon), opener: PictureOpeningStub(error: error))
      .fetchOriginal(request: .init(isOpened: true, stop: StopRequest()))

    #expect(
      presenter.events == [
        .original(.init(image: .moon, fetched: .storedMoon)),
        .failure(.init(failure: .opening(error, imageID: 7))),
      ]
    )
  }

  // MARK: Holding

  @Test func `an original whose path is printed stays, and the one before need not`() async {
    let worker = OriginalFetchingStub(.success(.moon))

    await interactor(LibraryStub(original: .moon), worker: worker)
      .fetchOriginal(request: .init(holdTime: .untilEnd, stop: StopRequest()))
    await interactor(LibraryStub(), worker: worker)
      .fetchOriginal(request: .init(holdTime: .untilNext, stop: StopRequest()))

    #expect(worker.holds == [nil, .untilEnd, nil, .untilNext])
    #expect(worker.requests.count == 1)
  }

  @Test func `an original that has just given way is fetched again`() async {
    let worker = OriginalFetchingStub(hasLostFirst: true, .success(.moon))

    await interactor(LibraryStub(original: .moon), worker: worker)
      .fetchOriginal(request: .init(holdTime: .untilEnd, stop: StopRequest()))

    #expect(worker.holds == [nil, .untilEnd, .untilEnd])
    #expect(worker.requests.count == 1)
    #expect(presenter.events.contains(.original(.init(image: .moon, fetched: .moon))))
  }

  @Test func `an original stays where it is used, and a file of the user's stays anyway`() async {
    let worker = OriginalFetchingStub(.success(.moon))
    var own = StoredOriginal.moon
    own.isInPlace = true

    await interactor(LibraryStub(original: .moon), worker: worker)
      .fetchOriginal(request: .init(stop: StopRequest()))
    await interactor(LibraryStub(original: own), worker: worker)
      .fetchOriginal(request: .init(holdTime: .untilEnd, stop: StopRequest()))

    #expect(worker.holds == [nil])
  }

  /// An interactor whose clock advances by a second at each read, unless a test passes another clock.
  private func interactor(
    _ library: LibraryStub,
    _ decoder: ImageDecodingStub = ImageDecodingStub(),
    worker: OriginalFetchingStub = OriginalFetchingStub(.failure(.offline)),
    opener: PictureOpeningStub = PictureOpeningStub(),
    now: (() -> ContinuousClock.Instant)? = nil
  ) -> ShowImageInteractor {
    var time = ContinuousClock.now
    let interactor = ShowImageInteractor(
      presenter: presenter,
      library: library,
      originalWorker: worker,
      exporter: PictureExportingStub(),
      opener: opener,
      decoder: decoder,
      marker: DamageMarkingSpy(),
      pins: LibraryManagingSpy(),
      now: now ?? {
        time += .seconds(1)
        return time
      },
      pause: { try await Task.sleep(for: .seconds(3_600)) }
    )
    interactor.image = .moon
    return interactor
  }
}
