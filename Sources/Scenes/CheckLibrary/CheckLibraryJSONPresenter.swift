import Workers

/// What a display for scripts shows.
package protocol CheckLibraryRecordDisplayLogic {
  func displayVerificationNote(viewModel: CheckLibrary.VerifyLibrary.Note.RecordViewModel)
  func displayEndedVerification(viewModel: CheckLibrary.VerifyLibrary.Ended.RecordViewModel)
  func displayCleanedLibrary(viewModel: CheckLibrary.CleanLibrary.RecordViewModel)
  func displayFailure(viewModel: CheckLibrary.Fail.ViewModel)
}

/// Turns what the interactor tells into records for scripts.
package struct CheckLibraryJSONPresenter: CheckLibraryPresentationLogic {
  private let display: any CheckLibraryRecordDisplayLogic

  package init(display: any CheckLibraryRecordDisplayLogic) { self.display = display }

  /// Scripts read the records; how far it is concerns people only.
  package func presentStartedVerification(
    response: CheckLibrary.VerifyLibrary.Started.Response
  ) {}

  package func presentVerificationNote(response: CheckLibrary.VerifyLibrary.Note.Response) {
    guard let record = CheckRecord(response.fact) else { return }
    display.displayVerificationNote(viewModel: .init(record: record))
  }

  package func presentEndedVerification(response: CheckLibrary.VerifyLibrary.Ended.Response) {
    let counts = response.counts
    let record = VerificationRecord(
      thumbnails: counts.thumbnails,
      originals: counts.originals,
      damaged: counts.damaged,
      missing: counts.missing,
      stray: counts.strays,
      unreadable: counts.unreadable,
      repaired: counts.repaired,
      interrupted: response.isInterrupted
    )
    display.displayEndedVerification(viewModel: .init(record: record, outcome: counts.outcome))
  }

  package func presentCleanedLibrary(response: CheckLibrary.CleanLibrary.Response) {
    let cleaned = response.cleaned
    let record = CleaningRecord(
      feeds: cleaned.feeds,
      images: cleaned.images,
      originals: cleaned.originals,
      files: cleaned.files,
      bytes: cleaned.bytes,
      dryRun: response.plan.isRehearsal,
      emptied: .init(files: cleaned.emptied.count, bytes: cleaned.emptied.bytes),
      trash: .init(files: cleaned.trash.count, bytes: cleaned.trash.bytes)
    )
    display.displayCleanedLibrary(viewModel: .init(record: record))
  }

  package func presentFailure(response: CheckLibrary.Fail.Response) {
    let failure = response.failure
    display.displayFailure(
      viewModel: .init(message: Wording.message(failure), outcome: failure.outcome)
    )
  }
}

extension CheckRecord {
  /// Nil for a fact that is no finding.
  init?(_ fact: CheckFact) {
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
    self.init(event: event, kind: "", ids: [], file: nil, reason: reason)
    switch thing {
    case .database: kind = "database"
    case .thumbnail(let id): (kind, ids) = ("thumbnail", [id])
    case .original(let path, let ids): (kind, self.ids, file) = ("original", ids, path)
    case .file(let path): (kind, file) = ("file", path)
    }
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
