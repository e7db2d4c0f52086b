package import Models
package import Workers

/// What can be asked of the scene.
package protocol ShowImageBusinessLogic {
  func fetchThumbnail(request: ShowImage.FetchThumbnail.Request)
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
  private let library: any LibraryReading & OriginalReading
  private let originalWorker: any OriginalFetching
  private let exporter: any PictureExporting

  package init(
    presenter: any ShowImagePresentationLogic,
    library: any LibraryReading & OriginalReading,
    originalWorker: any OriginalFetching,
    exporter: any PictureExporting
  ) {
    self.presenter = presenter
    self.library = library
    self.originalWorker = originalWorker
    self.exporter = exporter
  }

  package func fetchThumbnail(request: ShowImage.FetchThumbnail.Request) {
    guard let image else { return }
    do throws(RequestFailure) {
      if let thumbnail = image.thumbnail {
        try export(thumbnailOf: image, to: request.destination)
        presenter.presentFetchedThumbnail(
          response: .init(image: image, thumbnail: thumbnail, isAll: request.isAllWanted)
        )
      } else if request.isAllWanted {
        throw .noThumbnail(imageID: image.id)
      }
    } catch {
      presenter.presentFailure(response: .init(failure: error))
    }
  }

  package func fetchOriginal(request: ShowImage.FetchOriginal.Request) async {
    guard let image else { return }
    do throws(RequestFailure) {
      let stored = try storedOriginal(of: image)
      if let stored, !stored.isStale, !request.isRefresh {
        try present(.stored(stored), of: image, request: request)
      } else {
        try await obtainOriginal(of: image, insteadOf: stored, request: request)
      }
    } catch {
      presenter.presentFailure(response: .init(failure: error))
    }
  }

  package func describeImage() {
    guard let image else { return }
    presenter.presentDescribedImage(response: .init(image: image))
  }

  // MARK: The original

  private func storedOriginal(of image: WebImage) throws(RequestFailure) -> StoredOriginal? {
    do {
      return try library.original(imageID: image.id)
    } catch {
      throw .library(error, .show)
    }
  }

  private func obtainOriginal(
    of image: WebImage,
    insteadOf stored: StoredOriginal?,
    request: ShowImage.FetchOriginal.Request
  ) async throws(RequestFailure) {
    switch await fetch(image, request: request) {
    case .success(let fetched): try present(fetched, of: image, request: request)
    case .failure(let failure):
      presenter.presentUnavailableOriginal(
        response: .init(
          image: image,
          failure: failure,
          stored: stored,
          isRefresh: request.isRefresh
        )
      )
      guard let stored else { return }
      try present(.stored(stored), of: image, request: request)
    }
  }

  private func fetch(
    _ image: WebImage,
    request: ShowImage.FetchOriginal.Request
  ) async -> Result<FetchedOriginal, Failure> {
    guard request.mayAskNetwork else { return .failure(.offline) }
    let run = OriginalRun(
      OriginalRequest(image, isCheck: request.isRefresh),
      with: originalWorker
    )
    request.stop.whenMade { run.stop() }
    var pace = ProgressPace()
    for await event in run.events {
      switch event {
      case .progress(let received, let total):
        guard pace.admits(received: received, total: total) else { continue }
        presenter.presentFetchProgress(response: .init(received: received, total: total))
      case .fetched(let fetched): return .success(fetched)
      case .failed(let failure): return .failure(failure)
      }
    }
    return .failure(.interrupted)
  }

  private func present(
    _ fetched: FetchedOriginal,
    of image: WebImage,
    request: ShowImage.FetchOriginal.Request
  ) throws(RequestFailure) {
    if let destination = request.destination {
      try export(.original(fetched.original), to: destination)
    }
    presenter.presentFetchedOriginal(
      response: .init(image: image, fetched: fetched, copy: request.destination)
    )
  }

  // MARK: Copies

  private func export(
    thumbnailOf image: WebImage,
    to destination: ExportDestination?
  ) throws(RequestFailure) {
    guard let destination else { return }
    let bytes: [UInt8]?
    do {
      bytes = try library.thumbnailBytes(imageID: image.id)
    } catch {
      throw .library(error, .show)
    }
    guard let bytes else { throw .noThumbnail(imageID: image.id) }
    try export(.thumbnail(bytes), to: destination)
  }

  private func export(
    _ picture: ExportedPicture,
    to destination: ExportDestination
  ) throws(RequestFailure) {
    do {
      try exporter.export(picture, to: destination)
    } catch .closed {
      return
    } catch {
      throw .export(error)
    }
  }
}

extension FetchedOriginal {
  /// An original that nobody had to be asked for.
  fileprivate static func stored(_ original: StoredOriginal) -> FetchedOriginal {
    FetchedOriginal(original: original, wasDownloaded: false, wireBytes: 0)
  }
}
