import Workers

/// Makes records for scripts.
package struct CheckLibraryJSONPresenter: CheckLibraryPresentationLogic {
  private let display: any RecordDisplayLogic

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

  /// Presents nothing: scripts read the records.
  package func presentVerificationProgress(
    response: CheckLibrary.VerifyLibrary.Progress.Response
  ) {}

  package func presentVerificationNote(response: CheckLibrary.VerifyLibrary.Note.Response) {
    guard let record = Record(response.fact) else { return }
    display.displayRecords(viewModel: .init(record, outcome: nil))
  }

  package func presentEndedVerification(response: CheckLibrary.VerifyLibrary.Ended.Response) {
    let counts = response.counts
    let record: Record = [
      "event": "ended",
      "thumbnails": .number(counts.thumbnails),
      "originals": .number(counts.originals),
      "objects": .number(counts.objects),
      "damaged": .number(counts.damaged),
      "missing": .number(counts.missing),
      "stray": .number(counts.strays),
      "unreadable": .number(counts.unreadable),
      "repaired": .number(counts.repaired),
      "interrupted": .flag(response.isInterrupted),
    ]
    display.displayRecords(viewModel: .init(record, outcome: counts.outcome))
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

  package func presentFailure(response: Fail.Response) {
    display.displayFailure(viewModel: .init(response))
  }
}

extension Record {
  fileprivate init(_ files: CleanedLibrary.Files) {
    self = ["files": .number(files.count), "bytes": .number(files.bytes)]
  }

  /// Makes the record of a finding or a repair; nil for other facts.
  fileprivate init?(_ fact: CheckFact) {
    switch fact {
    case .found(let finding):
      let (event, reason) = Self.event(finding.condition)
      self.init(event, finding.thing, reason: reason)
    case .repaired(let thing): self.init("repaired", thing, reason: nil)
    case .notRepaired(let thing, let failure):
      self.init("unrepaired", thing, reason: Wording.reason(failure))
    case .resumed, .ended: return nil
    }
  }

  private init(_ event: String, _ thing: CheckedThing, reason: String?) {
    let (kind, ids, file): (String, [Int64], String?) =
      switch thing {
      case .database: ("database", [], nil)
      case .thumbnail(let id): ("thumbnail", [id], nil)
      case .original(let path, let ids): ("original", ids, path)
      case .file(let path): ("file", [], path)
      case .object(let name, let ids): ("object", ids, name)
      }
    self = [
      "event": .text(event), "kind": .text(kind), "ids": .numbers(ids), "file": .text(file),
      "reason": .text(reason),
    ]
  }

  private static func event(_ condition: CheckFinding.Condition) -> (String, String?) {
    switch condition {
    case .damaged(let damage): ("damaged", Wording.reason(damage))
    case .missing: ("missing", nil)
    case .stray: ("stray", nil)
    case .unreadable(let error): ("unreadable", Wording.reason(error))
    }
  }
}
