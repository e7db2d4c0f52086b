import Workers

/// Makes records for scripts.
package struct CheckLibraryJSONPresenter: CheckLibraryPresentationLogic, RunRecordPresentation {
  package let display: any RecordDisplayLogic

  package init(display: any RecordDisplayLogic) { self.display = display }

  package func presentDescribedLibrary(response: CheckLibrary.DescribeLibrary.Response) {
    let (feeds, figures) = (FeedCounts(response.feeds), response.figures)
    let record: Record = [
      "feeds": .number(feeds.all),
      "failedFeeds": .number(feeds.failed),
      "pausedFeeds": .number(feeds.paused),
      "images": .number(figures.images),
      "ready": .number(response.readiness),
      "thumbnails": .number(figures.thumbnails),
      "waitingThumbnails": .number(figures.waitingThumbnails),
      "originals": .number(figures.originals),
      "pins": .number(figures.pins),
      "thumbnailBytes": .number(figures.thumbnailBytes),
      "originalBytes": .number(figures.originalBytes),
      "objects": .number(figures.objects),
      "objectBytes": .number(figures.objectBytes),
      "packs": .number(figures.packs),
      "packBytes": .number(figures.packBytes),
      "waitingObjects": .number(figures.waitingObjects),
      "verified": .text(figures.verified.map(Wording.timestamp)),
      "keep": .number(figures.bounds.keep),
      "keepFree": .number(figures.bounds.keepFree),
      "databaseBytes": .number(figures.databaseBytes),
      "nextSync": .text(response.nextSync.map(Wording.timestamp)),
      "pushedFeeds": .number(response.pushedFeeds),
      "pausedHosts": .records(response.pauses.map { Record($0) }),
      "damaged": .number(feeds.damaged),
      "originalsInPlace": .number(figures.originalsInPlace),
      "bytesInPlace": .number(figures.bytesInPlace),
      "originalsStored": .number(figures.originals - figures.originalsInPlace),
    ]
    display.displayRecords(viewModel: .init(record))
  }

  package func presentDescribedNodes(response: CheckLibrary.DescribeNodes.Response) {
    let records = response.nodes.map { node -> Record in
      [
        "machine": .text(node.machine),
        "process": .number(node.process),
        "since": .text(Wording.timestamp(node.since)),
        "feeds": .records(
          node.feeds.map { feed in
            [
              "id": .integer(feed.id), "title": .text(feed.title), "url": .text(feed.address),
              "since": .text(Wording.timestamp(feed.since)),
            ]
          }
        ),
      ]
    }
    display.displayRecords(viewModel: .init(records))
  }

  package func presentCleanedLibrary(response: CheckLibrary.CleanLibrary.Response) {
    let cleaned = response.cleaned
    let record: Record = [
      "feeds": .number(cleaned.feeds),
      "images": .number(cleaned.images),
      "originals": .number(cleaned.originals),
      "files": .number(cleaned.files),
      "bytes": .number(cleaned.bytes),
      "objects": .record(Record(cleaned.objects)),
      "dryRun": .flag(response.plan.isRehearsal),
      "emptied": .record(Record(cleaned.emptied)),
      "trash": .record(Record(cleaned.trash)),
    ]
    display.displayRecords(viewModel: .init(record))
  }
}

extension Record {
  /// Makes the record of a host that asked for a pause.
  init(_ pause: HostPause) {
    self = ["host": .text(pause.host), "until": .text(Wording.timestamp(pause.end))]
  }

  fileprivate init(_ files: CleanedLibrary.Files) {
    self = ["files": .number(files.count), "bytes": .number(files.bytes)]
  }
}
