import Models
import Workers

/// A display for scripts: records of the synced feeds, and messages.
package protocol SyncFeedsRecordDisplayLogic: RecordDisplayLogic, SyncMessageDisplayLogic {
  func displaySyncProgress(viewModel: RecordViewModel)
  func displayEndedSync(viewModel: SyncFeeds.Ended.ViewModel)
}

/// Makes records for scripts.
package final class SyncFeedsJSONPresenter: SyncFeedsPresentationLogic {
  /// The time between two records of progress.
  private static let step = Duration.seconds(5)

  private var last = Duration.zero
  private let display: any SyncFeedsRecordDisplayLogic

  package init(display: any SyncFeedsRecordDisplayLogic) { self.display = display }

  /// Presents the progress every few seconds.
  package func presentSyncProgress(response: SyncFeeds.Progress.Response) {
    let snapshot = response.snapshot
    guard snapshot.elapsed - last >= Self.step else { return }
    last = snapshot.elapsed
    display.displaySyncProgress(viewModel: .init(Record(snapshot), outcome: nil))
  }

  package func presentSyncProblem(response: SyncFeeds.Problem.Response) {
    guard let problem = response.presented else { return }
    display.displaySyncProblem(viewModel: problem)
  }

  package func presentSyncNotice(response: SyncFeeds.Notice.Response) {
    display.displaySyncNotice(viewModel: response.presented)
    guard case .overlaps(let folder, let feed, let isInside) = response.notice else { return }
    let record: Record = [
      "event": "overlap",
      "url": .text(folder.masked),
      "with": [
        "id": .integer(feed.id), "url": .text(feed.address.masked), "title": .text(feed.title),
      ],
      "inside": .flag(isInside),
    ]
    display.displayRecords(viewModel: .init(record, outcome: nil))
  }

  package func presentExplainedEntries(response: SyncFeeds.Explained.Response) {
    let records = response.entries.map { Record($0, of: response.feed) }
    display.displayRecords(viewModel: .init(records, outcome: nil))
  }

  package func presentSyncedFeed(response: SyncFeeds.FeedFinished.Response) {
    for failure in response.summary.failuresToTell {
      display.displaySyncProblem(viewModel: failure)
    }
    display.displayRecords(viewModel: .init(Record(response.summary), outcome: nil))
  }

  /// Presents nothing: scripts read the records of changes.
  package func presentWatchedFeeds(response: SyncFeeds.Watch.Response) {}

  package func presentEndedSync(response: SyncFeeds.Ended.Response) {
    let note = Wording.endOfSync(response)
    display.displayEndedSync(viewModel: .init(outcome: response.outcome, note: note))
  }

  package func presentTimedSync(response: SyncFeeds.Timed.Response) {
    let record: Record = ["timings": .record(Record(response.timings))]
    display.displayRecords(viewModel: .init(record, outcome: nil))
  }

  package func presentFailure(response: Fail.Response) {
    display.displayFailure(viewModel: .init(response))
  }
}

extension Record {
  fileprivate init(_ progress: SyncProgress.Snapshot) {
    self = [
      "event": "progress",
      "feeds": .record(Record(progress.feeds)),
      "images": .number(progress.images),
      "thumbnails": .record(Record(progress.thumbnails)),
      "originals": .record(Record(progress.originals)),
      "bytes": .number(progress.bytes),
      "seconds": .real(Wording.roundedSeconds(progress.elapsed)),
    ]
  }

  private init(_ part: SyncProgress.Part) {
    self = ["done": .number(part.done), "total": .number(part.total)]
  }

  init(_ summary: FeedSyncSummary) {
    let heldBack = summary.thumbnails.heldBack + summary.originals.heldBack
    self = [
      "feed": .record(Record(feedOf: summary)),
      "status": .text(summary.status.rawValue),
      "images": .record(Record(summary.images)),
      "thumbnails": .record(Record(summary.thumbnails)),
      "originals": .record(Record(summary.originals)),
      "bytes": .number(summary.bytes),
      "seconds": .real(Wording.roundedSeconds(summary.duration)),
      "dryRun": .flag(summary.isDryRun),
      "problems": .records(summary.problems.map { Record($0) }),
      "failures": .records(heldBack.map { Record($0) }),
      "newIDs": .ranges(summary.isDryRun ? nil : summary.newIDs),
      "list": .record(summary.list.map { Record($0) }),
    ]
    if summary.isLimited { add("limited", .flag(true)) }
    if !summary.doubtful.isEmpty {
      add("newer", .ranges(summary.doubtful.map { $0...$0 }))
    }
  }

  fileprivate init(_ entry: EntryExplanation, of feed: WebAddress) {
    self = [
      "feed": ["url": .text(feed.masked)],
      "entry": ["id": .text(entry.id), "title": .text(entry.title)],
      "images": .records(
        entry.images.map { image in
          [
            "original": .record(Record(image.original)),
            "thumbnail": .record(image.thumbnail.map { Record($0) }),
          ]
        }
      ),
      "passed": .records(
        entry.passed.map { passed in
          [
            "url": .text(passed.address),
            "place": .text(Wording.place(passed.place)),
            "reason": .text(passed.reason.rawValue),
          ]
        }
      ),
    ]
  }

  private init(_ choice: EntryExplanation.Choice) {
    self = [
      "url": .text(choice.address.masked),
      "place": .text(Wording.place(choice.place)),
      "side": .integer(choice.side.map(Int64.init)),
    ]
  }

  /// Makes the record of a feed; its id is null while the library does not know the feed.
  private init(feedOf summary: FeedSyncSummary) {
    self = [
      "id": .integer(summary.isUnknown ? nil : summary.feed?.id),
      "url": .text(summary.address.masked),
      "title": .text(summary.feed?.title),
      "format": .text(summary.feed?.format?.rawValue),
    ]
  }

  private init(_ counts: ImageCounts) {
    self = [
      "total": .number(counts.total), "new": .number(counts.new),
      "changed": .number(counts.changed), "gone": .number(counts.gone),
    ]
  }

  /// Makes the record of a feed's transfers; only a dry run knows the bytes to fetch, as far as feeds declare them.
  private init(_ counts: TransferCounts) {
    self = [
      "stored": .number(counts.stored), "failed": .number(counts.failed),
      "waiting": .number(counts.waiting),
    ]
    if counts.waitingBytes > 0 { add("waitingBytes", .number(counts.waitingBytes)) }
  }

  private init(_ problem: SyncProblem) {
    self = [
      "url": .text(problem.address.masked),
      "reason": .text(Wording.reason(problem.failure)),
      "severity": .text(problem.severity.rawValue),
      "detail": .text(problem.failure.libraryWords),
    ]
  }

  private init(_ list: ListedFeeds) {
    self = [
      "total": .number(list.total), "new": .number(list.new),
      "lost": .records(list.lost.map { ["url": .text($0.masked)] }),
    ]
  }

  fileprivate init(_ timings: SyncTimings) {
    let counts = timings.counts
    self = [
      "seconds": .real(Wording.roundedThousandths(timings.whole)),
      "phases": .record(Record(phasesOf: timings)),
      "counts": [
        "requests": .number(counts.requests),
        "responses": .number(counts.responses),
        "unchanged": .number(counts.unchanged),
        "connections": .number(counts.connections),
        "bytes": .number(counts.bytes),
        "documents": .number(counts.documents),
        "images": .number(counts.images),
        "pictures": .number(counts.pictures),
        "transactions": .number(counts.transactions),
        "rows": .number(counts.rows),
        "flushes": .number(counts.flushes),
        "originals": .number(counts.originals),
        "originalBytes": .number(counts.originalBytes),
      ],
    ]
  }

  private init(phasesOf timings: SyncTimings) {
    self = [:]
    for phase in SyncPhase.allCases {
      add(phase.rawValue, .real(Wording.roundedThousandths(timings[phase])))
    }
  }
}
