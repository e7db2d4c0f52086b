import Models
import Workers

/// What a display for scripts shows.
package protocol ListImagesRecordDisplayLogic {
  func displaySyncProblem(viewModel: ListImages.SyncFeeds.Problem.ViewModel)
  func displaySyncNotice(viewModel: ListImages.SyncFeeds.Notice.ViewModel)
  func displaySyncedFeed(viewModel: ListImages.SyncFeeds.FeedFinished.RecordViewModel)
  func displayEndedSync(viewModel: ListImages.SyncFeeds.Ended.ViewModel)
  func displayTimedSync(viewModel: ListImages.SyncFeeds.Timed.RecordViewModel)
  func displayFetchedImages(viewModel: ListImages.FetchImages.RecordViewModel)
  func displayFailure(viewModel: ListImages.Fail.ViewModel)
}

/// Turns what the interactor tells into records for scripts.
package struct ListImagesJSONPresenter: ListImagesPresentationLogic {
  private let display: any ListImagesRecordDisplayLogic

  package init(display: any ListImagesRecordDisplayLogic) { self.display = display }

  /// Scripts get no pictures, so they miss none.
  package func presentUndrawnImages(response: ListImages.FetchImages.Undrawn.Response) {}

  /// Scripts read the records; how far a sync is concerns people only.
  package func presentStartedSync(response: ListImages.SyncFeeds.Started.Response) {}

  package func presentSyncProblem(response: ListImages.SyncFeeds.Problem.Response) {
    guard let problem = response.presented else { return }
    display.displaySyncProblem(viewModel: problem)
  }

  package func presentSyncNotice(response: ListImages.SyncFeeds.Notice.Response) {
    display.displaySyncNotice(viewModel: .init(text: Wording.notice(response.notice)))
  }

  package func presentSyncedFeed(response: ListImages.SyncFeeds.FeedFinished.Response) {
    for failure in response.summary.pictureFailures {
      display.displaySyncProblem(viewModel: failure)
    }
    display.displaySyncedFeed(viewModel: .init(record: FeedSyncRecord(response.summary)))
  }

  package func presentEndedSync(response: ListImages.SyncFeeds.Ended.Response) {
    let note = Wording.endOfSync(response)
    display.displayEndedSync(viewModel: .init(outcome: response.outcome, note: note))
  }

  package func presentTimedSync(response: ListImages.SyncFeeds.Timed.Response) {
    display.displayTimedSync(viewModel: .init(record: SyncTimingsRecord(response.timings)))
  }

  package func presentFetchedImages(response: ListImages.FetchImages.Response) {
    display.displayFetchedImages(viewModel: .init(records: records(of: response.images.span)))
  }

  /// A span, because it lends each image, where an array gives a copy of it: there can be a million.
  private func records(of images: Span<WebImage>) -> [ImageRecord] {
    var records: [ImageRecord] = []
    records.reserveCapacity(images.count)
    for index in images.indices { records.append(ImageRecord(images[index])) }
    return records
  }

  /// The end of the records says it.
  package func presentEndedFetch(response: ListImages.FetchImages.Ended.Response) {}

  package func presentFailure(response: ListImages.Fail.Response) {
    let failure = response.failure
    display.displayFailure(
      viewModel: .init(message: Wording.message(failure), outcome: failure.outcome)
    )
  }
}

extension ImageRecord {
  init(_ image: borrowing WebImage) {
    self.init(
      id: image.id,
      title: image.title,
      caption: image.caption,
      author: image.author,
      published: image.published.map(Wording.timestamp),
      feed: Feed(id: image.feed.id, title: image.feed.title),
      thumbnail: Thumbnail(image),
      originalStored: image.original.isStored,
      originalDamaged: image.isOriginalDamaged,
      gone: image.isGone,
      failures: image.failures.map(FailureRecord.init)
    )
  }
}

extension ImageRecord.Thumbnail {
  fileprivate init(_ image: borrowing WebImage) {
    self.init(
      url: image.thumbnailAddress?.masked,
      stored: image.thumbnail != nil,
      bytes: image.thumbnail?.bytes,
      type: image.thumbnail?.format.mediaType,
      width: image.thumbnail?.width,
      height: image.thumbnail?.height,
      damaged: image.isThumbnailDamaged
    )
  }
}

extension FeedSyncRecord {
  init(_ summary: FeedSyncSummary) {
    self.init(
      feed: Feed(
        id: summary.isUnknown ? nil : summary.feed?.id,
        url: summary.address.masked,
        title: summary.feed?.title,
        format: summary.feed?.format?.rawValue
      ),
      status: summary.status.rawValue,
      images: Images(
        total: summary.images.total,
        new: summary.images.new,
        changed: summary.images.changed,
        gone: summary.images.gone
      ),
      list: summary.list.map {
        List(total: $0.total, new: $0.new, lost: $0.lost.map(\.masked))
      },
      thumbnails: Pictures(summary.thumbnails),
      originals: Pictures(summary.originals),
      bytes: summary.bytes,
      seconds: Wording.roundedSeconds(summary.duration),
      dryRun: summary.isDryRun,
      problems: summary.problems.map { problem in
        Problem(
          url: problem.address.masked,
          reason: Wording.reason(problem.failure),
          severity: problem.severity.rawValue,
          detail: problem.failure.libraryWords
        )
      },
      failures: (summary.thumbnails.heldBack + summary.originals.heldBack)
        .map(FailureGroupRecord.init),
      newIDs: summary.isDryRun ? nil : summary.newIDs
    )
  }
}

extension FeedSyncRecord.Pictures {
  fileprivate init(_ counts: TransferCounts) {
    self.init(
      stored: counts.stored,
      failed: counts.failed,
      waiting: counts.waiting,
      waitingBytes: counts.waitingBytes > 0 ? counts.waitingBytes : nil
    )
  }
}
