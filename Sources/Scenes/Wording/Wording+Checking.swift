import Workers

extension Wording {
  /// A fact of a verification in a line, led by a symbol: `*` damaged, `-` missing, `+` refers to
  /// nothing, `!` could not be looked at, `=` right again; nil where there is nothing to say.
  static func note(_ fact: CheckFact) -> String? {
    switch fact {
    case .resumed:
      "going on where an interrupted verification stopped — --restart starts from the beginning"
    case .found(let finding): note(finding)
    case .repaired(.database): "= the database: its indexes were built again, and it is sound"
    case .repaired(let thing): "= \(name(of: thing)): right again"
    case .notRepaired(let thing, let failure):
      cannot("repair", name(of: thing), because: reason(failure), but: "what is stored of it stays")
    case .ended: nil
    }
  }

  private static func note(_ finding: CheckFinding) -> String {
    let name = name(of: finding.thing)
    return switch finding.condition {
    case .damaged(let damage): "* \(name): \(reason(damage))"
    case .missing: "- \(name): the file is gone"
    case .stray(let bytes): "+ \(name): nothing refers to it (\(size(bytes)))"
    case .unreadable(let error):
      // A line names a path once.
      "! \(name): "
        + (isNamed(error.path, by: finding.thing) ? clause(error.message) : reason(error))
    }
  }

  private static func isNamed(_ path: String, by thing: CheckedThing) -> Bool {
    switch thing {
    case .original(let named, _), .file(let named): path == named
    case .database, .thumbnail: false
    }
  }

  private static func name(of thing: CheckedThing) -> String {
    switch thing {
    case .database: "the database"
    case .thumbnail(let id): "thumbnail of \(id)"
    case .original(let path, let ids): "\(originalName(ids)), \(quoted(path))"
    case .file(let path): quoted(path)
    }
  }

  private static func originalName(_ ids: [Int64]) -> String {
    let shown = ids.prefix(3).map(String.init).joined(separator: ", ")
    if ids.isEmpty { return "original of no image" }
    return "original of \(shown)" + (ids.count > 3 ? " and \(ids.count - 3) more" : "")
  }

  /// What is wrong with something that is stored.
  static func reason(_ damage: Damage) -> String {
    switch damage {
    case .otherContent: "its content is not what was stored"
    case .otherLength(let length, let expected):
      "it has \(count(length, "byte")) instead of \(grouped(expected))"
    case .notAFile: "it is no file of its own any more"
    case .notAPicture(let kind): "it is no picture but \(kind)"
    case .otherFormat(let format): "it is a \(name(of: format)) picture, unlike what was stored"
    case .cut(let format): "the \(name(of: format)) picture ends too early"
    case .undecodable: "it is damaged beyond decoding"
    case .database(let words): clause(words)
    }
  }

  /// What a verification came to.
  static func summary(_ response: CheckLibrary.VerifyLibrary.Ended.Response) -> String {
    let counts = response.counts
    let looked =
      "\(count(counts.thumbnails, "thumbnail")) and \(count(counts.originals, "original"))"
    let found = [
      (counts.damaged, "damaged"), (counts.missing, "missing"), (counts.unreadable, "unreadable"),
      (counts.repaired, "repaired"),
    ].filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }
    let result = found.isEmpty ? "all is as it was stored" : found.joined(separator: ", ")
    let strays =
      counts.strays > 0
      ? "; \(count(counts.strays, "file")) that nothing refers to — 'gallery clean' removes"
        + (counts.strays == 1 ? " it" : " them")
      : ""
    let remedy =
      counts.damaged + counts.missing > 0 && !response.isRepairing
      ? " — 'gallery verify --repair' repairs what can be fetched again" : ""
    let end =
      response.isInterrupted ? "; interrupted — the next verification goes on from here" : ""
    return "verified \(looked): \(result)\(remedy)\(strays)\(end)"
  }

  /// How far a verification is.
  static func progressLine(_ counts: VerificationCounts) -> ProgressLine {
    let text = """
      verified \(count(counts.thumbnails, "thumbnail")), \(count(counts.originals, "original"))
      """
    return ProgressLine(fraction: nil, text: text)
  }

  /// What a cleaning did.
  static func cleaning(_ response: CheckLibrary.CleanLibrary.Response) -> String {
    let cleaned = response.cleaned
    var parts = [cleaned.isEmpty ? "nothing to clean" : taken(cleaned, response.plan)]
    let emptied = cleaned.emptied
    if emptied.count > 0 {
      let verb = response.plan.isRehearsal ? "would empty" : "emptied"
      parts.append("\(verb) the trash of \(count(emptied.count, "file")) (\(size(emptied.bytes)))")
    }
    let trash = cleaned.trash
    if trash.count > 0 {
      let text =
        "the trash keeps \(count(trash.count, "file")) (\(size(trash.bytes))) for 7 days each"
      parts.append("\(text) — 'gallery clean --now' deletes at once")
    }
    return parts.compactMap(\.self).joined(separator: "; ")
  }

  /// What it took away besides the trash; nil when there was nothing.
  private static func taken(_ cleaned: CleanedLibrary, _ plan: CleaningPlan) -> String? {
    let parts = [
      (cleaned.feeds, "removed feed"), (cleaned.images, "image"), (cleaned.originals, "original"),
      (cleaned.files, "file"),
    ].filter { $0.0 > 0 }.map { count($0.0, $0.1) }
    if parts.isEmpty { return nil }
    let verb = plan.isRehearsal ? "would remove" : "removed"
    return "\(verb) \(parts.joined(separator: ", ")): \(size(cleaned.bytes)) of files"
  }
}
