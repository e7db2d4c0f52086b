package import Workers

extension CheckLibrary.VerifyLibrary: RunUseCase {
  package static func progressLine(_ counts: VerificationCounts) -> ProgressLine {
    Wording.progressLine(counts)
  }

  package static func note(_ response: Note.Response) -> Run.Note.ViewModel? {
    Wording.note(response.fact).map { .init(text: $0) }
  }

  package static func record(_ response: Note.Response) -> Record? { Record(response.fact) }

  package static func summary(_ response: Ended.Response) -> HintedText {
    Wording.summary(response)
  }

  package static func record(_ response: Ended.Response) -> Record {
    let counts = response.counts
    return [
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
      "ofRemovedFeeds": .number(counts.ofRemovedFeeds),
      "ofLostFiles": .number(counts.ofLostFiles),
      "notFetched": .number(counts.notFetched),
    ]
  }

  /// Repaired damage counts, too, because something was wrong.
  package static func outcome(_ response: Ended.Response) -> Outcome {
    response.counts.hasDamage ? .partly : .done
  }
}

extension Record {
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
