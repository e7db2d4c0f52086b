import Workers

extension Wording {
  /// The state of the library, as names with values.
  static func description(_ response: CheckLibrary.DescribeLibrary.Response) -> [DescriptionField] {
    let figures = response.figures
    let waiting = figures.waitingThumbnails
    let thumbnails = "\(grouped(figures.thumbnails)) stored, \(size(figures.thumbnailBytes))"
    let ready = response.readiness.map { "\($0) % can be looked at without a network" }
    let feeds = FeedCounts(response.feeds)
    let damaged = feeds.damaged > 0 ? count(feeds.damaged, "stored picture") : nil
    return [
      .init(name: "feeds", value: text(feeds)),
      .init(name: "images", value: grouped(figures.images)),
      .init(name: "ready", value: ready ?? "nothing yet"),
      .init(
        name: "thumbnails",
        value: thumbnails + (waiting > 0 ? "; \(grouped(waiting)) waiting" : "")
      ),
      .init(
        name: "originals",
        value: originals(figures) + (text(figures.bounds).map { "; \($0)" } ?? "")
      ),
    ] + objects(figures) + [
      .init(name: "pinned", value: grouped(figures.pins)),
      .init(name: "database", value: size(figures.databaseBytes)),
      .init(name: "verified", value: figures.verified.map { localTime($0) } ?? "never"),
    ] + (damaged.map { [.init(name: "damaged", value: $0)] } ?? []) + later(response)
  }

  /// The originals in the library, and those that are files of folders.
  private static func originals(_ figures: LibraryFigures) -> String {
    let stored = figures.originals - figures.originalsInPlace
    let own = "\(grouped(stored)) stored, \(size(figures.originalBytes))"
    if figures.originalsInPlace == 0 { return own }
    let inPlace = "\(grouped(figures.originalsInPlace)) in place, \(size(figures.bytesInPlace))"
    return stored > 0 || figures.originalBytes > 0 ? "\(own); \(inPlace)" : inPlace
  }

  private static func objects(_ figures: LibraryFigures) -> [DescriptionField] {
    if figures.objects + figures.packs == 0, figures.waitingObjects == nil { return [] }
    var parts = ["\(count(figures.objects, "original")), \(size(figures.objectBytes))"]
    if let waiting = figures.waitingObjects, waiting > 0 {
      parts.append("\(grouped(waiting)) waiting")
    }
    if figures.packs > 0 {
      parts.append("\(count(figures.packs, "pack")) of thumbnails, \(size(figures.packBytes))")
    }
    return [.init(name: "object store", value: parts.joined(separator: "; "))]
  }

  /// The next sync, and the feeds whose hubs tell of changes.
  private static func later(_ response: CheckLibrary.DescribeLibrary.Response) -> [DescriptionField]
  {
    let push = response.leaseEnd.map { end in
      "\(count(response.pushedFeeds, "feed")), by hubs; the first lease ends \(localTime(end, rounded: .up))"
    }
    let paused = text(response.pauses, of: response.feeds)
    return [
      ("paused hosts", paused),
      (
        "next sync",
        response.nextSync.map {
          "due \(localTime($0, rounded: .up)), by a program that keeps running"
        }
      ),
      ("pushed", push),
    ]
    .compactMap { name, value in value.map { .init(name: name, value: $0) } }
  }

  /// The processes that use the library, each with the feeds that it syncs.
  static func lines(_ nodes: [Node]) -> [String] {
    if nodes.isEmpty { return ["no other process uses the library"] }
    let names = nodes.map { "\($0.machine) \($0.process)" }
    let width = names.map(\.count).max() ?? 0
    return zip(nodes, names).map { node, name in
      let blanks = String(repeating: " ", count: width - name.count)
      let work = node.feeds.map { quoted($0.title ?? $0.address) }.joined(separator: ", ")
      let doing = node.feeds.isEmpty ? "syncs nothing now" : "syncs \(work)"
      return "\(name)\(blanks)  since \(localTime(node.since))  \(doing)"
    }
  }

  private static func text(_ feeds: FeedCounts) -> String {
    let states = [(feeds.failed, "failed"), (feeds.paused, "gone"), (feeds.new, "never synced")]
    return ([grouped(feeds.all)] + parts(states)).joined(separator: ", ")
  }

  /// A fact of a verification in a line; nil for the end, which has a summary.
  ///
  /// A finding or a repair begins with a symbol: `*` damaged, `-` missing, `+` nothing refers to it, `!` unreadable,
  /// `=` repaired.
  static func note(_ fact: CheckFact) -> HintedText? {
    switch fact {
    case .resumed: "continuing where an interrupted verification stopped — \(.restartVerification)"
    case .found(let finding): "\(note(finding))"
    case .repaired(.database): "= the database: its indexes were built again, and it is sound"
    case .repaired(.file(let path)):
      "= \(quoted(path)): a new key pair is in its place, which the users of other galleries have to accept"
    case .repaired(let thing): "= \(name(of: thing)): repaired"
    case .notRepaired(let thing, let failure):
      cannot(
        "repair",
        name(of: thing),
        because: reason(failure),
        but: hinting("its stored data stays", failure)
      )
    case .ended: nil
    }
  }

  private static func note(_ finding: CheckFinding) -> String {
    let name = name(of: finding.thing)
    if case .unreadable(let error) = finding.condition, case .object(error.path, []) = finding.thing
    {
      // The message of a store is a code, which needs the rest of the sentence.
      return "! \(reason(error))"
    }
    return switch finding.condition {
    case .damaged(let damage): "* \(name): \(reason(damage))"
    case .missing: "- \(name): \(isObject(finding.thing) ? "it" : "the file") is gone"
    case .stray(let bytes): "+ \(name): nothing refers to it (\(size(bytes)))"
    case .unreadable(let error):
      // The line already names this path, so the reason does not repeat it.
      "! \(name): "
        + (isNamed(error.path, by: finding.thing) ? clause(error.message) : reason(error))
    }
  }

  private static func isObject(_ thing: CheckedThing) -> Bool {
    if case .object = thing { true } else { false }
  }

  private static func isNamed(_ path: String, by thing: CheckedThing) -> Bool {
    switch thing {
    case .original(let named, _), .file(let named): path == named
    case .object(let name, _): path == name
    case .database, .thumbnail: false
    }
  }

  private static func name(of thing: CheckedThing) -> String {
    switch thing {
    case .database: "the database"
    case .thumbnail(let id): "thumbnail of \(id)"
    case .original(let path, let ids): "\(originalName(ids)), \(quoted(path))"
    case .file(let path): quoted(path)
    case .object(let name, []): "the object store \(quoted(name))"
    case .object(let name, let ids): "\(originalName(ids)) as the object \(quoted(name))"
    }
  }

  private static func originalName(_ ids: [Int64]) -> String {
    let shown = ids.prefix(3).map(String.init).joined(separator: ", ")
    if ids.isEmpty { return "original of no image" }
    return "original of \(shown)" + (ids.count > 3 ? " and \(ids.count - 3) more" : "")
  }

  /// A description of damage to stored data.
  static func reason(_ damage: Damage) -> String {
    switch damage {
    case .otherContent: "its content is not what was stored"
    case .otherLength(let length, let expected):
      "it has \(count(length, "byte")) instead of \(grouped(expected))"
    case .notAFile: "it is not a file of its own any more"
    case .notAPicture(let kind): "it is not a picture but \(kind)"
    case .otherFormat(let format): "it is a \(name(of: format)) picture, unlike what was stored"
    case .cut(let format): "the \(name(of: format)) picture ends too early"
    case .undecodable: "it is damaged beyond decoding"
    case .database(let words): clause(words)
    }
  }

  /// The result of a verification.
  static func summary(_ response: CheckLibrary.VerifyLibrary.Ended.Response) -> HintedText {
    let counts = response.counts
    let originals = count(counts.originals, "original")
    let looked =
      counts.objects > 0
      ? "\(count(counts.thumbnails, "thumbnail")), \(originals) and \(count(counts.objects, "object"))"
      : "\(count(counts.thumbnails, "thumbnail")) and \(originals)"
    let found = parts([
      (counts.damaged, "damaged"), (counts.missing, "missing"), (counts.unreadable, "unreadable"),
      (counts.repaired, "repaired"),
    ])
    let result = found.isEmpty ? "all is as it was stored" : found.joined(separator: ", ")
    let inFolders = response.inFolders
    let others =
      inFolders > 0
      ? "; \(count(inFolders, "picture")) of folders \(inFolders == 1 ? "was" : "were") not read"
      : ""
    var summary: HintedText = "verified \(looked): \(result)\(others)"
    if let backup = response.backup, counts.hasDamage {
      summary = "\(summary) — \(.mendBackup(place: backup))"
    } else {
      let hints =
        hints(after: counts, isRepairing: response.isRepairing, response.database)
        + (response.database.map(hints) ?? [])
      if !hints.isEmpty { summary = "\(summary) — \(hints.joined(separator: "; "))" }
    }
    if counts.strays > 0 {
      let strays = "\(count(counts.strays, "file")) that nothing refers to"
      // The files of originals are all that is left of lost rows, so no message says to delete them.
      summary =
        counts.strayOriginals > 0
        ? "\(summary); \(strays) — kept; \(.takeBackOriginals(count: counts.strayOriginals))"
        : "\(summary); \(strays) — \(.removeStrays(count: counts.strays))"
    }
    guard response.isInterrupted else { return summary }
    return "\(summary); interrupted — the next verification continues from here"
  }

  /// What helps damaged and missing pictures.
  private static func hints(
    after counts: VerificationCounts,
    isRepairing: Bool,
    _ database: CheckLibrary.DatabaseDamage?
  ) -> [HintedText] {
    var hints: [HintedText] = []
    let pictures = counts.damaged + counts.missing - (database?.faults ?? 0)
    let repairable = pictures - counts.unrepairable
    if !isRepairing, repairable > 0 {
      hints.append("\(.repairPictures)")
    }
    if counts.ofRemovedFeeds > 0 {
      let one = counts.ofRemovedFeeds == 1
      hints.append(
        """
        \(grouped(counts.ofRemovedFeeds)) \(one ? "is" : "are") of removed feeds: \
        \(.run(command: "clean")) removes \(one ? "it" : "them")
        """
      )
    }
    if counts.ofLostFiles > 0 {
      let one = counts.ofLostFiles == 1
      hints.append(
        """
        \(grouped(counts.ofLostFiles)) \(one ? "is" : "are") of \(one ? "a file" : "files") that \
        \(one ? "its folder has" : "their folders have") no longer: \
        once \(one ? "it is" : "they are") there again, \(.run(command: "sync --retry-failed")) helps
        """
      )
    }
    if counts.notFetched > 0 {
      hints.append(
        """
        \(grouped(counts.notFetched)) could not be fetched or made again: \
        \(.run(command: "verify --repair")) tries once more
        """
      )
    }
    return hints
  }

  /// What helps a damaged database: a repair that was not tried yet, and what helps if a repair does not.
  private static func hints(_ damage: CheckLibrary.DatabaseDamage) -> [HintedText] {
    let remedies = damage.remedies
    let others = [
      remedies.backup.map { "\(.restoreBackup(place: $0))" } as HintedText?,
      remedies.folder.map { "\(.recoverLibrary(folder: $0))" },
    ].compactMap(\.self)
    if damage.isBeyondRepair { return others }
    guard !others.isEmpty else { return ["\(.rebuildIndexes)"] }
    return ["\(.rebuildIndexes), and if that does not help, \(others.joined(separator: "; or "))"]
  }

  /// The progress of a verification.
  static func progressLine(_ counts: VerificationCounts) -> ProgressLine {
    let text = """
      verified \(count(counts.thumbnails, "thumbnail")), \(count(counts.originals, "original"))
      """
    return ProgressLine(fraction: nil, text: text)
  }

  /// The result of a cleaning.
  static func cleaning(_ response: CheckLibrary.CleanLibrary.Response) -> HintedText {
    let cleaned = response.cleaned
    var parts: [HintedText] = []
    if cleaned.isEmpty {
      parts.append("nothing to clean")
    } else if let taken = taken(cleaned, response.plan) {
      parts.append("\(taken)")
    }
    let objects = cleaned.objects
    if objects.count > 0 {
      let verb = response.plan.isRehearsal ? "would delete" : "deleted"
      parts.append("\(verb) \(count(objects.count, "object")) (\(size(objects.bytes)))")
    }
    let emptied = cleaned.emptied
    if emptied.count > 0 {
      let verb = response.plan.isRehearsal ? "would empty" : "emptied"
      parts.append("\(verb) the trash of \(count(emptied.count, "file")) (\(size(emptied.bytes)))")
    }
    let trash = cleaned.trash
    if trash.count > 0 {
      let text =
        "the trash keeps \(count(trash.count, "file")) (\(size(trash.bytes))) for 7 days each"
      parts.append("\(text) — \(.emptyTrash)")
    }
    return parts.joined(separator: "; ")
  }

  /// The rows and files that a cleaning removed or would remove, except objects and trash; nil without any.
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
