import Models
import Workers

/// What a display for scripts shows.
package protocol ShowImageRecordDisplayLogic {
  func displayFetchedThumbnail(viewModel: ShowImage.FetchThumbnail.RecordViewModel)
  func displayFetchProgress(viewModel: ShowImage.FetchOriginal.Progress.RecordViewModel)
  func displayFetchedOriginal(viewModel: ShowImage.FetchOriginal.RecordViewModel)
  func displayUnavailableOriginal(viewModel: ShowImage.FetchOriginal.Unavailable.RecordViewModel)
  func displayDescribedImage(viewModel: ShowImage.DescribeImage.RecordViewModel)
  func displayFailure(viewModel: ShowImage.Fail.ViewModel)
}

/// Turns what the interactor tells into records for scripts.
package struct ShowImageJSONPresenter: ShowImagePresentationLogic {
  private let display: any ShowImageRecordDisplayLogic
  private let pace = Locked(ProgressPace())

  package init(display: any ShowImageRecordDisplayLogic) { self.display = display }

  package func presentFetchedThumbnail(response: ShowImage.FetchThumbnail.Response) {
    let thumbnail = response.thumbnail
    let record = ThumbnailRecord(
      id: response.image.id,
      title: response.image.title,
      type: thumbnail.format.mediaType,
      bytes: thumbnail.bytes,
      width: thumbnail.width,
      height: thumbnail.height
    )
    display.displayFetchedThumbnail(viewModel: .init(record: record, outcome: response.outcome))
  }

  package func presentFetchProgress(response: ShowImage.FetchOriginal.Progress.Response) {
    let (received, total) = (response.received, response.total)
    guard pace.withLock({ $0.admits(received: received, total: total) }) else { return }
    let record = ProgressRecord(received: received, total: total)
    display.displayFetchProgress(viewModel: .init(record: record))
  }

  /// Scripts get no pictures.
  package func presentPartialOriginal(response: ShowImage.FetchOriginal.Partial.Response) {}

  package func presentFetchedOriginal(response: ShowImage.FetchOriginal.Response) {
    pace.withLock { $0 = ProgressPace() }
    let original = response.fetched.original
    let record = OriginalRecord(
      file: original.path,
      bytes: original.info.bytes,
      sha256: original.sha256,
      type: original.info.format.mediaType,
      width: original.info.width,
      height: original.info.height,
      downloaded: response.fetched.wasDownloaded,
      resumedFrom: response.fetched.resumedFrom,
      damaged: original.isDamaged
    )
    display.displayFetchedOriginal(viewModel: .init(record: record))
  }

  package func presentUnavailableOriginal(
    response: ShowImage.FetchOriginal.Unavailable.Response
  ) {
    pace.withLock { $0 = ProgressPace() }
    display.displayUnavailableOriginal(
      viewModel: .init(
        record: UnavailableRecord(
          reason: Wording.reason(response),
          detail: response.failure.libraryWords
        ),
        message: Wording.message(response),
        outcome: response.outcome,
        isUntrusted: response.failure.isUntrusted
      )
    )
  }

  package func presentDescribedImage(response: ShowImage.DescribeImage.Response) {
    display.displayDescribedImage(viewModel: .init(record: DescriptionRecord(response)))
  }

  package func presentFailure(response: ShowImage.Fail.Response) {
    let failure = response.failure
    display.displayFailure(
      viewModel: .init(message: Wording.message(failure), outcome: failure.outcome)
    )
  }
}

extension DescriptionRecord {
  init(_ response: ShowImage.DescribeImage.Response) {
    let image = response.image
    self.init(
      id: image.id,
      feed: ImageRecord.Feed(id: image.feed.id, title: image.feed.title),
      title: image.title,
      caption: image.caption,
      author: image.author,
      licence: image.licence,
      published: image.published.map(Wording.timestamp),
      pageURL: image.pageAddress?.masked,
      thumbnailURL: image.thumbnailAddress?.masked,
      originalURL: image.originalAddress.masked,
      width: image.width,
      height: image.height,
      thumbnailStored: image.thumbnail != nil,
      originalStored: image.original.isStored,
      thumbnailDamaged: image.isThumbnailDamaged,
      originalDamaged: image.isOriginalDamaged,
      gone: image.isGone,
      failures: image.failures.map(FailureRecord.init),
      feedURL: image.feed.address.masked,
      firstSeen: Wording.timestamp(image.firstSeen),
      thumbnail: image.thumbnail.map(Picture.init),
      original: response.original.map { original in
        Original(
          file: original.path,
          sha256: original.sha256,
          picture: Picture(original.info),
          stale: image.original == .stale
        )
      },
      manifest: image.manifest.map(ManifestRecord.init)
    )
  }
}

extension DescriptionRecord.Picture {
  init(_ info: PictureInfo) {
    self.init(
      bytes: info.bytes,
      type: info.format.mediaType,
      width: info.width,
      height: info.height
    )
  }
}

extension ManifestRecord {
  init(_ manifest: Manifest) {
    self.init(
      title: manifest.label,
      pageURL: manifest.pageAddress?.masked,
      attribution: manifest.attribution,
      rights: manifest.rights,
      metadata: manifest.details.map { Detail(label: $0.label, value: $0.value) }
    )
  }
}
