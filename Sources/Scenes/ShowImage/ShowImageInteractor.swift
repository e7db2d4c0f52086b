package import Models
package import Workers

/// The requests of the scene.
package protocol ShowImageBusinessLogic {
  func fetchThumbnail(request: ShowImage.FetchThumbnail.Request) async
  func fetchOriginal(request: ShowImage.FetchOriginal.Request) async
  func describeImage() async
  func explainImage() async
  func pinImage(request: ShowImage.PinImage.Request) async
  func fetchNewer(request: ShowImage.FetchNewer.Request) async
  func takeNewer() async
  func readThumbnail() async
}

/// The data that a router passes to the scene.
package protocol ShowImageDataStore {
  var image: WebImage? { get set }
}

/// Shows the image that a router passed: the stored thumbnail at once, then the original.
package final class ShowImageInteractor: ShowImageBusinessLogic, ShowImageDataStore {
  package var image: WebImage?
  let presenter: any ShowImagePresentationLogic
  let library: any LibraryReading
  let originalWorker: any OriginalFetching
  let exporter: any PictureExporting
  private let opener: any PictureOpening
  private let decoder: any ImageDecoding
  let marker: any DamageMarking
  let pins: any LibraryManaging
  let pauses: (any HostPausing)?
  let details: (any PictureDetailing)?
  private let now: () -> ContinuousClock.Instant
  private let pause: Pause
  /// The thumbnail that was decoded last.
  private var thumbnail: DecodedPixels?

  package init(
    presenter: any ShowImagePresentationLogic,
    library: any LibraryReading,
    originalWorker: any OriginalFetching,
    exporter: any PictureExporting,
    opener: any PictureOpening,
    decoder: any ImageDecoding,
    marker: any DamageMarking,
    pins: any LibraryManaging,
    pauses: (any HostPausing)? = nil,
    details: (any PictureDetailing)? = nil,
    now: @escaping () -> ContinuousClock.Instant = { .now },
    pause: @escaping Pause = tenthOfASecond
  ) {
    self.presenter = presenter
    self.library = library
    self.originalWorker = originalWorker
    self.exporter = exporter
    self.opener = opener
    self.decoder = decoder
    self.marker = marker
    self.pins = pins
    self.pauses = pauses
    self.details = details
    self.now = now
    self.pause = pause
  }

  package func fetchThumbnail(request: ShowImage.FetchThumbnail.Request) async {
    await makeMissingThumbnail()
    guard let image else { return presentNoImage() }
    do throws(RequestFailure) {
      if let thumbnail = image.thumbnail, !image.isThumbnailDamaged {
        let destination = request.destination?.named(image.fileName(thumbnail.format))
        try await export(thumbnailOf: image, to: destination)
        presenter.presentFetchedThumbnail(
          response: .init(
            image: image,
            thumbnail: thumbnail,
            pixels: try await pixels(ofThumbnailOf: image, in: request.room),
            isAll: request.isAllWanted,
            copy: destination
          )
        )
      } else if request.isAllWanted {
        throw .noThumbnail(imageID: image.id, isDamaged: image.isThumbnailDamaged)
      }
    } catch {
      presenter.presentFailure(response: .init(failure: error))
    }
  }

  /// Makes the thumbnail of an image that has an original and no thumbnail, as when the one that its feed names fails.
  private func makeMissingThumbnail() async {
    guard let id = image?.id, image?.thumbnail == nil, image?.original == .stored else { return }
    await originalWorker.makeThumbnail(imageID: id)
    if let found = try? await library.image(id: id) { image = found }
  }

  package func fetchOriginal(request: ShowImage.FetchOriginal.Request) async {
    guard let image else { return presentNoImage() }
    if request.holdTime != nil { await originalWorker.letGo() }
    do throws(RequestFailure) {
      let stored = try await storedOriginal(of: image)
      if let stored, stored.isRight, !request.isRefresh {
        try await handOut(stored, of: image, request: request)
      } else {
        if let stored, stored.isDamaged { await remember(stored, of: image) }
        try await obtainOriginal(of: image, insteadOf: stored, request: request)
      }
    } catch {
      presenter.presentFailure(response: .init(failure: error))
    }
  }

  func presentNoImage() { presenter.presentFailure(response: .init(failure: .noImageSelected)) }

  // MARK: The original

  func storedOriginal(
    of image: WebImage
  ) async throws(RequestFailure) -> StoredOriginal? {
    do {
      return try await library.original(imageID: image.id)
    } catch {
      throw .library(error, .show)
    }
  }

  /// Shows a stored original.
  ///
  /// If copying finds damage, it fetches the original again, unless a part of the copy already went to standard output.
  /// It also does so if the original has given way in the meantime.
  private func handOut(
    _ stored: StoredOriginal,
    of image: WebImage,
    request: ShowImage.FetchOriginal.Request
  ) async throws(RequestFailure) {
    guard await hold(stored, for: request.holdTime) else {
      return try await obtainOriginal(of: image, insteadOf: nil, request: request)
    }
    do throws(RequestFailure) {
      try await present(.stored(stored), of: image, request: request)
    } catch {
      guard case .export(.damaged(_, let isSpilt)) = error else { throw error }
      await remember(stored, of: image)
      if isSpilt { throw error }
      var damaged = stored
      damaged.isDamaged = true
      try await obtainOriginal(of: image, insteadOf: damaged, request: request)
    }
  }

  private func obtainOriginal(
    of image: WebImage,
    insteadOf stored: StoredOriginal?,
    request: ShowImage.FetchOriginal.Request
  ) async throws(RequestFailure) {
    switch await fetch(image, request: request) {
    case .success(let fetched):
      _ = await hold(fetched.original, for: request.holdTime)
      try await present(fetched, of: image, request: request)
    case .failure(let failure):
      let isDamaged = stored?.isDamaged == true
      let substitute = isDamaged && !request.takesDamaged ? nil : stored
      presenter.presentUnavailableOriginal(
        response: .init(
          image: image,
          failure: failure,
          stored: substitute,
          isRefresh: request.isRefresh,
          isDamaged: isDamaged
        )
      )
      guard let substitute else { return }
      if isDamaged {
        _ = await hold(substitute, for: request.holdTime)
        return try await present(.stored(substitute), of: image, request: request)
      }
      try await handOut(substitute, of: image, request: request)
    }
  }

  /// Keeps an original from giving way while it is shown; false when it has just given way.
  private func hold(_ original: StoredOriginal, for time: OriginalHoldTime?) async -> Bool {
    guard let time, !original.isInPlace else { return true }
    return await originalWorker.hold(original.path, for: time)
  }

  private func fetch(
    _ image: WebImage,
    request: ShowImage.FetchOriginal.Request
  ) async -> Result<FetchedOriginal, Failure> {
    guard request.mayAskNetwork else { return .failure(.offline) }
    let fetch = SharpenedFetch(
      OriginalRequest(image, isCheck: request.isRefresh),
      with: originalWorker,
      pause: pause
    ) { receive in request.room.map { sharpening(in: $0, receive: receive) } }
    fetch.stop(when: request.stop)
    defer { fetch.sharpening?.stop() }
    var progress: OriginalProgress?
    var wait: (cause: NetworkWaits.Wait, end: ContinuousClock.Instant)?
    for await step in fetch.steps {
      switch step {
      case .event(.progress(let latest)):
        (progress, wait) = (latest, nil)
        fetch.sharpening?.take(latest.partial)
        present(latest, of: image)
      case .event(.fetched(let fetched)): return .success(fetched)
      case .event(.failed(let failure)): return .failure(failure)
      case .partial(let pixels):
        if let pixels { presenter.presentPartialOriginal(response: .init(pixels: pixels)) }
        fetch.sharpening?.noteDrawn()
      case .wait(let cause): wait = cause.map { ($0, now() + $0.delay) }
      case .tick where progress != nil || wait != nil:
        present(
          progress ?? OriginalProgress(received: 0, total: nil),
          of: image,
          waiting: wait.map { .init(cause: $0.cause, left: $0.end - now()) }
        )
      case .tick: break
      }
    }
    return .failure(.interrupted)
  }

  private func present(
    _ progress: OriginalProgress,
    of image: WebImage,
    waiting wait: ShowImage.FetchOriginal.Progress.Wait? = nil
  ) {
    presenter.presentFetchProgress(
      response: .init(
        imageID: image.id,
        received: progress.received,
        total: progress.total,
        partial: progress.partial,
        version: progress.version,
        wait: wait
      )
    )
  }

  private func sharpening(
    in room: PixelSize,
    receive: @escaping @Sendable (DecodedPixels?) -> Void
  ) -> Sharpening {
    Sharpening(decoder: decoder, room: room, thumbnail: thumbnail, now: now, receive: receive)
  }

  private func present(
    _ fetched: FetchedOriginal,
    of image: WebImage,
    request: ShowImage.FetchOriginal.Request
  ) async throws(RequestFailure) {
    let destination = request.destination?
      .named(image.fileName(fetched.original.info.format))
    if let destination {
      try await export(.original(fetched.original), to: destination)
    }
    presenter.presentFetchedOriginal(
      response: .init(
        image: image,
        fetched: fetched,
        pixels: await pixels(of: fetched.original.picture, in: request.room),
        newer: fetched.wasDownloaded ? [] : try await successors(of: image),
        copy: destination
      )
    )
    if request.isOpened { try open(fetched.original, of: image) }
    if !fetched.wasDownloaded { await originalWorker.noteLook(at: fetched.original) }
    if fetched.wasDownloaded { await originalWorker.makeThumbnail(imageID: image.id) }
  }

  private func open(_ original: StoredOriginal, of image: WebImage) throws(RequestFailure) {
    do {
      try opener.open(original)
    } catch {
      throw .opening(error, imageID: image.id)
    }
  }

  // MARK: Pixels

  private func pixels(
    ofThumbnailOf image: WebImage,
    in room: PixelSize?
  ) async throws(RequestFailure) -> Result<DecodedPixels, ImagingError>? {
    guard room != nil, let bytes = try await thumbnailBytes(of: image) else { return nil }
    let decoded = await pixels(of: .bytes(bytes), in: room)
    if case .success(let pixels) = decoded { thumbnail = pixels }
    return decoded
  }

  /// The decoded pixels, or the reason why decoding failed; nil when the request has no room for them.
  func pixels(
    of source: PictureSource,
    in room: PixelSize?
  ) async -> Result<DecodedPixels, ImagingError>? {
    guard let room else { return nil }
    do {
      return .success(try await decoder.pixels(of: source, fitting: room, extent: .whole))
    } catch {
      return .failure(error)
    }
  }
}

extension FetchedOriginal {
  /// A stored original, obtained without a request to a server.
  fileprivate static func stored(_ original: StoredOriginal) -> FetchedOriginal {
    FetchedOriginal(original: original, wasDownloaded: false, wireBytes: 0)
  }
}
