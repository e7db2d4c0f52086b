import Models
import Workers

/// What the interactor tells, whoever listens.
package protocol ListImagesPresentationLogic {
  func presentStartedSync(response: ListImages.SyncFeeds.Started.Response)
  func presentSyncProblem(response: ListImages.SyncFeeds.Problem.Response)
  func presentSyncNotice(response: ListImages.SyncFeeds.Notice.Response)
  func presentSyncedFeed(response: ListImages.SyncFeeds.FeedFinished.Response)
  func presentEndedSync(response: ListImages.SyncFeeds.Ended.Response)
  func presentTimedSync(response: ListImages.SyncFeeds.Timed.Response)
  func presentFetchedImages(response: ListImages.FetchImages.Response)
  func presentUndrawnImages(response: ListImages.FetchImages.Undrawn.Response)
  func presentEndedFetch(response: ListImages.FetchImages.Ended.Response)
  func presentFailure(response: ListImages.Fail.Response)
}

/// What a display for people shows.
package protocol ListImagesDisplayLogic {
  func displayStartedSync(viewModel: ListImages.SyncFeeds.Started.ViewModel)
  func displaySyncProblem(viewModel: ListImages.SyncFeeds.Problem.ViewModel)
  func displaySyncNotice(viewModel: ListImages.SyncFeeds.Notice.ViewModel)
  func displaySyncedFeed(viewModel: ListImages.SyncFeeds.FeedFinished.ViewModel)
  func displayEndedSync(viewModel: ListImages.SyncFeeds.Ended.ViewModel)
  func displayTimedSync(viewModel: ListImages.SyncFeeds.Timed.ViewModel)
  func displayFetchedImages(viewModel: ListImages.FetchImages.ViewModel)
  func displayUndrawnImages(viewModel: ListImages.FetchImages.Undrawn.ViewModel)
  func displayEndedFetch(viewModel: ListImages.FetchImages.Ended.ViewModel)
  func displayFailure(viewModel: ListImages.Fail.ViewModel)
}

/// Turns what the interactor tells into finished text for people.
package struct ListImagesPresenter: ListImagesPresentationLogic {
  private let display: any ListImagesDisplayLogic

  package init(display: any ListImagesDisplayLogic) { self.display = display }

  package func presentStartedSync(response: ListImages.SyncFeeds.Started.Response) {
    let (progress, stop) = (response.progress, response.stop)
    let meter = Locked(ProgressMeter())
    display.displayStartedSync(
      viewModel: .init {
        if stop.isMade { return ProgressLine(fraction: nil, text: Wording.stopping) }
        let snapshot = progress.snapshot
        return Wording.progressLine(snapshot, meter.withLock { $0.pace(at: snapshot) })
      }
    )
  }

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
    // Why a feed has failed is told as its problem.
    guard response.summary.status != .failed else { return }
    display.displaySyncedFeed(viewModel: .init(text: Wording.summary(response.summary)))
  }

  package func presentEndedSync(response: ListImages.SyncFeeds.Ended.Response) {
    let note = Wording.endOfSync(response)
    display.displayEndedSync(
      viewModel: .init(
        outcome: response.outcome,
        totals: response.totals.map { Wording.totals($0, isDryRun: response.isDryRun) },
        note: note
      )
    )
  }

  package func presentTimedSync(response: ListImages.SyncFeeds.Timed.Response) {
    let timings = response.timings
    let rows = SyncPhase.allCases.map { phase in
      ListImages.SyncFeeds.Timed.Row(
        phase: Wording.name(of: phase),
        time: Wording.thousandths(timings[phase]),
        detail: Wording.detail(of: phase, timings.counts)
      )
    }
    let title = Wording.titleOfTimings(timings.whole)
    display.displayTimedSync(viewModel: .init(title: title, rows: rows))
  }

  package func presentFetchedImages(response: ListImages.FetchImages.Response) {
    var displayed = response.images.map(displayedImage)
    for (index, pixels) in (response.thumbnails ?? []).enumerated() {
      displayed[index].picture = pixels.flatMap(Picture.init)
    }
    display.displayFetchedImages(
      viewModel: .init(displayedImages: displayed, isGrid: response.thumbnails != nil)
    )
  }

  package func presentUndrawnImages(response: ListImages.FetchImages.Undrawn.Response) {
    display.displayUndrawnImages(viewModel: .init(note: Wording.undrawn(response.reason)))
  }

  package func presentEndedFetch(response: ListImages.FetchImages.Ended.Response) {
    display.displayEndedFetch(
      viewModel: .init(
        note: Wording.endOfList(response),
        failures: Wording.failures(response.failures).map { "\($0) — 'gallery feeds' tells more" },
        nextOffset: response.nextOffset
      )
    )
  }

  package func presentFailure(response: ListImages.Fail.Response) {
    let failure = response.failure
    display.displayFailure(
      viewModel: .init(message: Wording.message(failure), outcome: failure.outcome)
    )
  }

  private func displayedImage(_ image: WebImage) -> DisplayedImage {
    let published = image.published.map(Wording.timestamp) ?? ""
    return DisplayedImage(
      id: image.id,
      published: published,
      day: Wording.day(of: published),
      feed: Wording.name(of: image.feed),
      title: image.title ?? "",
      originalMark: originalMark(of: image),
      hasFailed: !image.failures.isEmpty
    )
  }

  private func originalMark(of image: WebImage) -> String {
    if image.isOriginalDamaged { return "damaged" }
    return image.original.isStored ? "original" : ""
  }
}
