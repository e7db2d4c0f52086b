package import Models
package import Workers

/// What can be asked of the scene.
package protocol ShowImageBusinessLogic {
  func fetchThumbnail(request: ShowImage.FetchThumbnail.Request) async
  func fetchOriginal(request: ShowImage.FetchOriginal.Request) async
  func describeImage()
}

/// What the scene is passed, and holds.
package protocol ShowImageDataStore {
  var image: WebImage? { get set }
}

/// Shows the image it was passed: what is stored at once, then the original.
package final class ShowImageInteractor: ShowImageBusinessLogic, ShowImageDataStore {
  package var image: WebImage?
  private let presenter: any ShowImagePresentationLogic
  let library: any LibraryReading & OriginalReading
  private let originalWorker: any OriginalFetching
  let exporter: any PictureExporting
  private let opener: any PictureOpening
  private let decoder: any ImageDecoding
  let marker: any DamageMarking
  private let now: () -> ContinuousClock.Instant
  /// The thumbnail as it was decoded last.
  private var thumbnail: DecodedPixels?

  package init(
    presenter: any ShowImagePresentationLogic,
    library: any LibraryReading & OriginalReading,
    originalWorker: any OriginalFetching,
    exporter: any PictureExporting,
    opener: any PictureOpening,
    decoder: any ImageDecoding,
    marker: any DamageMarking,
    now: @escaping () -> ContinuousClock.Instant = { .now }
  ) {
    self.presenter = presenter
    self.library = library
    self.originalWorker = originalWorker
    self.exporter = exporter
    self.opener = opener
    self.decoder = decoder
    self.marker = marker
    self.now = now
  }

  package func fetchThumbnail(request: ShowImage.FetchThumbnail.Request) async {
    guard let image else { return }
    do throws(RequestFailure) {
      if let thumbnail = image.thumbnail, !image.isThumbnailDamaged {
        try export(thumbnailOf: image, to: request.destination)
        presenter.presentFetchedThumbnail(
          response: .init(
            image: image,
            thumbnail: thumbnail,
            pixels: try await pixels(ofThumbnailOf: image, in: request.room),
            isAll: request.isAllWanted,
            copy: request.destination
          )
        )
      } else if request.isAllWanted {
        throw .noThumbnail(imageID: image.id, isDamaged: image.isThumbnailDamaged)
      }
    } catch {
      presenter.presentFailure(response: .init(failure: error))
    }
  }

  package func fetchOriginal(request: ShowImage.FetchOriginal.Request) async {
    guard let image else { return }
    do throws(RequestFailure) {
      let stored = try storedOriginal(of: image)
      if let stored, stored.isRight, !request.isRefresh {
        try await handOut(stored, of: image, request: request)
      } else {
        if let stored, stored.isDamaged { remember(stored, of: image) }
        try await obtainOriginal(of: image, insteadOf: stored, request: request)
      }
    } catch {
      presenter.presentFailure(response: .init(failure: error))
    }
  }

  package func describeImage() {
    guard let image else { return }
    do throws(RequestFailure) {
      let original = try storedOriginal(of: image)
      presenter.presentDescribedImage(response: .init(image: image, original: original))
    } catch {
      presenter.presentFailure(response: .init(failure: error))
    }
  }

  // MARK: The original

  private func storedOriginal(of image: WebImage) throws(RequestFailure) -> StoredOriginal? {
    do {
      return try library.original(imageID: image.id)
    } catch {
      throw .library(error, .show)
    }
  }

  /// One that turns out to be damaged while it is copied is fetched again, unless a part of it has gone
  /// where it cannot be taken back.
  private func handOut(
    _ stored: StoredOriginal,
    of image: WebImage,
    request: ShowImage.FetchOriginal.Request
  ) async throws(RequestFailure) {
    do throws(RequestFailure) {
      try await present(.stored(stored), of: image, request: request)
    } catch {
      guard case .export(.damaged(_, let isSpilt)) = error else { throw error }
      remember(stored, of: image)
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
    case .success(let fetched): try await present(fetched, of: image, request: request)
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
      if isDamaged { return try await present(.stored(substitute), of: image, request: request) }
      try await handOut(substitute, of: image, request: request)
    }
  }

  private func fetch(
    _ image: WebImage,
    request: ShowImage.FetchOriginal.Request
  ) async -> Result<FetchedOriginal, Failure> {
    guard request.mayAskNetwork else { return .failure(.offline) }
    let fetch = SharpenedFetch(
      OriginalRequest(image, isCheck: request.isRefresh),
      with: originalWorker
    ) { tell in request.room.map { sharpening(in: $0, tell: tell) } }
    fetch.stop(when: request.stop)
    defer { fetch.sharpening?.stop() }
    for await step in fetch.steps {
      switch step {
      case .event(.progress(let progress)):
        fetch.sharpening?.take(progress.partial)
        presenter.presentFetchProgress(
          response: .init(received: progress.received, total: progress.total)
        )
      case .event(.fetched(let fetched)): return .success(fetched)
      case .event(.failed(let failure)): return .failure(failure)
      case .partial(let pixels):
        if let pixels { presenter.presentPartialOriginal(response: .init(pixels: pixels)) }
        fetch.sharpening?.noteDrawn()
      }
    }
    return .failure(.interrupted)
  }

  private func sharpening(
    in room: PixelBox,
    tell: @escaping @Sendable (DecodedPixels?) -> Void
  ) -> Sharpening {
    Sharpening(decoder: decoder, room: room, thumbnail: thumbnail, now: now, tell: tell)
  }

  private func present(
    _ fetched: FetchedOriginal,
    of image: WebImage,
    request: ShowImage.FetchOriginal.Request
  ) async throws(RequestFailure) {
    if let destination = request.destination {
      try export(.original(fetched.original), to: destination)
    }
    presenter.presentFetchedOriginal(
      response: .init(
        image: image,
        fetched: fetched,
        pixels: await pixels(of: .file(path: fetched.original.path), in: request.room),
        copy: request.destination
      )
    )
    if request.isOpened { try open(fetched.original, of: image) }
    if fetched.wasDownloaded, image.thumbnailAddress == nil {
      await originalWorker.makeThumbnail(imageID: image.id)
    }
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
    in room: PixelBox?
  ) async throws(RequestFailure) -> Result<DecodedPixels, ImagingError>? {
    guard room != nil, let bytes = try thumbnailBytes(of: image) else { return nil }
    let decoded = await pixels(of: .bytes(bytes), in: room)
    if case .success(let pixels) = decoded { thumbnail = pixels }
    return decoded
  }

  /// Nil when there is no room for any.
  private func pixels(
    of source: PictureSource,
    in room: PixelBox?
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
  /// An original that nobody had to be asked for.
  fileprivate static func stored(_ original: StoredOriginal) -> FetchedOriginal {
    FetchedOriginal(original: original, wasDownloaded: false, wireBytes: 0)
  }
}
