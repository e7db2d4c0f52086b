import Models
import Workers

/// The responses that the interactor presents.
package protocol ShowImagePresentationLogic {
  func presentFetchedThumbnail(response: ShowImage.FetchThumbnail.Response)
  func presentFetchProgress(response: ShowImage.FetchOriginal.Progress.Response)
  func presentPartialOriginal(response: ShowImage.FetchOriginal.Partial.Response)
  func presentFetchedOriginal(response: ShowImage.FetchOriginal.Response)
  func presentUnavailableOriginal(response: ShowImage.FetchOriginal.Unavailable.Response)
  func presentDescribedImage(response: ShowImage.DescribeImage.Response)
  func presentExplainedImage(response: ShowImage.ExplainImage.Response)
  func presentFetchedNewer(response: ShowImage.FetchNewer.Response)
  func presentReadThumbnail(response: ShowImage.ReadThumbnail.Response)
  func presentFailure(response: Fail.Response)
}

/// A display for people.
package protocol ShowImageDisplayLogic {
  func displayFetchedThumbnail(viewModel: ShowImage.FetchThumbnail.ViewModel)
  func displayProgress(viewModel: Run.Progress.ViewModel)
  func displayPartialOriginal(viewModel: ShowImage.FetchOriginal.Partial.ViewModel)
  func displayFetchedOriginal(viewModel: ShowImage.FetchOriginal.ViewModel)
  func displayUnavailableOriginal(viewModel: Fail.ViewModel)
  func displayDescribedImage(viewModel: ShowImage.DescribeImage.ViewModel)
  func displayExplainedImage(viewModel: ShowImage.ExplainImage.ViewModel)
  func displayReadThumbnail(viewModel: ShowImage.ReadThumbnail.ViewModel)
  func displayFailure(viewModel: Fail.ViewModel)
}

/// Makes text for people.
package final class ShowImagePresenter: ShowImagePresentationLogic {
  private let display: any ShowImageDisplayLogic
  private let now: () -> ContinuousClock.Instant
  /// Measures the current fetch; nil between two fetches.
  private var meter: TransferMeter?

  package init(
    display: any ShowImageDisplayLogic,
    now: @escaping () -> ContinuousClock.Instant = { .now }
  ) {
    self.display = display
    self.now = now
  }

  package func presentFetchedThumbnail(response: ShowImage.FetchThumbnail.Response) {
    display.displayFetchedThumbnail(
      viewModel: .init(
        // The original will be drawn below this line.
        text: response.isAll
          ? Wording.thumbnail(response.thumbnail, of: response.image)
          : Wording.name(of: response.image),
        picture: response.picture,
        note: note("thumbnail", of: response.image, response.pixels)
          ?? misnamed(response.copy, response.thumbnail.format),
        outcome: response.outcome,
        path: copyPath(response.copy),
        fileless: response.isAll && response.copy == nil
          ? Wording.filelessThumbnail(of: response.image) : nil
      )
    )
  }

  package func presentFetchProgress(response: ShowImage.FetchOriginal.Progress.Response) {
    let (received, total) = (response.received, response.total)
    var meter = meter ?? TransferMeter(received: received, total: total, at: now())
    meter.take(received: received, total: total, at: now())
    let line = meter.line(at: now(), waiting: response.wait)
    self.meter = meter
    if let line { display.displayProgress(viewModel: .init(line: line)) }
  }

  package func presentPartialOriginal(response: ShowImage.FetchOriginal.Partial.Response) {
    guard let picture = DisplayedPicture(response.pixels) else { return }
    display.displayPartialOriginal(viewModel: .init(picture: picture))
  }

  package func presentFetchedOriginal(response: ShowImage.FetchOriginal.Response) {
    meter = nil
    display.displayFetchedOriginal(
      viewModel: .init(
        text: Wording.original(response.fetched, newer: response.newer),
        path: response.copy == nil ? response.fetched.original.path : copyPath(response.copy),
        picture: (try? response.pixels?.get()).flatMap(DisplayedPicture.init),
        note: note("original", of: response.image, response.pixels)
          ?? misnamed(response.copy, response.fetched.original.info.format)
      )
    )
  }

  package func presentUnavailableOriginal(
    response: ShowImage.FetchOriginal.Unavailable.Response
  ) {
    meter = nil
    display.displayUnavailableOriginal(viewModel: .init(response))
  }

  package func presentExplainedImage(response: ShowImage.ExplainImage.Response) {
    display.displayExplainedImage(viewModel: .init(fields: Wording.explanation(response)))
  }

  package func presentDescribedImage(response: ShowImage.DescribeImage.Response) {
    let fields = Wording.description(
      of: response.image,
      response.original,
      response.newer,
      response.details
    )
    display.displayDescribedImage(
      viewModel: .init(fields: fields, image: DisplayedImageFacts(response))
    )
  }

  /// Presents the picture as an original, so that displays show it in the same way.
  package func presentFetchedNewer(response: ShowImage.FetchNewer.Response) {
    let path: String? = if case .file(let path) = response.newer.source { path } else { nil }
    display.displayFetchedOriginal(
      viewModel: .init(
        text: Wording.newer(response.newer, besideThatOf: response.image),
        path: response.copy == nil ? path : copyPath(response.copy),
        picture: (try? response.pixels?.get()).flatMap(DisplayedPicture.init),
        note: note("newer picture", of: response.image, response.pixels)
          ?? misnamed(response.copy, response.newer.info.format)
      )
    )
  }

  package func presentReadThumbnail(response: ShowImage.ReadThumbnail.Response) {
    display.displayReadThumbnail(
      viewModel: .init(mediaType: response.thumbnail.format.mediaType, bytes: response.bytes)
    )
  }

  package func presentFailure(response: Fail.Response) {
    meter = nil
    display.displayFailure(viewModel: .init(response))
  }

  private func note(
    _ kind: String,
    of image: WebImage,
    _ pixels: Result<DecodedPixels, ImagingError>?
  ) -> String? {
    switch pixels {
    case .failure(let error): Wording.undrawn(kind, of: image, error)
    case .success(let pixels):
      pixels.source.substitute.map { Wording.substitute($0, for: kind, of: image) }
    case nil: nil
    }
  }

  /// Tells that the name of a copy stands for another format; nothing is converted.
  private func misnamed(_ copy: ExportDestination?, _ format: ImageFormat) -> String? {
    guard case .file(let path, _) = copy, let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")),
      let named = ImageFormat(fileExtension: String(path[path.index(after: dot)...])),
      named != format
    else { return nil }
    return Wording.misnamed(path, format)
  }

  private func copyPath(_ copy: ExportDestination?) -> String? {
    switch copy {
    case .file(let path, _): path
    case .folder(let path, let name, _): "\(path)/\(name)"
    case .standardOutput, nil: nil
    }
  }
}

extension DisplayedImageFacts {
  fileprivate init(_ response: ShowImage.DescribeImage.Response) {
    let (image, original) = (response.image, response.original)
    self.init(
      title: image.title ?? "",
      feed: Wording.name(of: image.feed),
      feedID: image.feed.id
    )
    caption = image.caption
    author = image.author
    licence = image.licence
    published = image.published.map(Wording.timestamp)
    dateName = Wording.dateName(of: image.feed)
    pageAddress = image.pageAddress.flatMap { $0.isWeb ? $0.masked : nil }
    thumbnail = image.isThumbnailDamaged ? nil : DisplayedFile(image.thumbnail)
    self.original = original.flatMap { $0.isDamaged ? nil : DisplayedFile($0) }
    originalSize = original.map { Wording.picture($0.info) }
    width = image.width
    height = image.height
    camera = response.details?.camera
    lens = response.details?.lens
    exposure = response.details.flatMap(Wording.exposure)
    taken = response.details?.taken.map(Wording.clock)
    isPinned = image.isPinned
    problem = image.failures.first { $0.kind == .original }.map { Wording.clause($0.reason) }
  }
}

extension ShowImage.FetchThumbnail.Response {
  var outcome: Outcome? { isAll ? .done : nil }

  /// The thumbnail; if the original follows, it is drawn as large as the original, which replaces it.
  fileprivate var picture: DisplayedPicture? {
    guard case .success(let pixels) = pixels else { return nil }
    if isAll { return DisplayedPicture(pixels) }
    return Picture(pixels).map {
      DisplayedPicture(picture: $0, fullSize: PixelSize(known: image.width, image.height))
    }
  }
}

extension Fail.ViewModel {
  package init(_ response: ShowImage.FetchOriginal.Unavailable.Response) {
    self.init(
      message: Wording.message(response),
      outcome: response.outcome,
      isUntrusted: response.failure.isUntrusted,
      isOfLibrary: response.failure.isOfLibrary
    )
  }
}

extension ShowImage.FetchOriginal.Unavailable.Response {
  /// Done when a stored picture is shown instead, and partly if that is damaged or the request was to refresh it.
  var outcome: Outcome {
    if stored == nil { return .unavailable }
    return isRefresh || isDamaged ? .partly : .done
  }
}
