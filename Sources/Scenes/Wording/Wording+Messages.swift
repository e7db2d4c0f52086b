import Models
package import Workers

extension Wording {
  /// What a request does with an image that it names.
  private static func verb(of purpose: RequestFailure.Purpose) -> String {
    purpose == .pin ? "pin" : purpose == .unpin ? "unpin" : "show"
  }

  /// The message about a failed request.
  package static func message(_ failure: RequestFailure) -> HintedText {
    switch failure {
    case .noFeedKnown: "no feed is followed yet — \(.followFeed)"
    case .noSuchFeed(let argument): noSuchFeed(argument)
    case .titleOfSeveral(let argument):
      "\(quoted(text(argument))) names several feeds, and a title is for one"
    case .ambiguousTitle(let feeds): ambiguousTitle(of: feeds)
    case .titleAndPath(let name, let feeds): titleAndPath(name, feeds)
    case .ambiguousManifest(let addresses):
      """
      \(count(addresses.count, "manifest")) have that label — an address names one: \
      \(addresses.map(\.masked).joined(separator: ", "))
      """
    case .noSuchPage: "there is no such page of this list; begin with the first one"
    case .noSuchBucket: "the list has no such bucket"
    case .listHasChanged: "the list has changed; read its timeline again"
    case .noSuchImage(let id, let purpose):
      cannot(
        verb(of: purpose),
        quoted(String(id)),
        because: "no such image",
        but: "\(.listImages)"
      )
    case .noSuchImages(let ids, let purpose):
      cannot(
        verb(of: purpose),
        quoted("\(ids.lowerBound)-\(ids.upperBound)"),
        because: "no image has such an id",
        but: "\(.listImages)"
      )
    case .noImageSelected: "no image is selected"
    case .unusableAddress(let address):
      cannot(
        "sync",
        quoted(address.masked),
        because: "feeds are read by https or http, or from a file",
        but: shareSchemes.contains(address.scheme)
          ? "mount the network drive, and name the path of the file there" : nil
      )
    case .mistypedAddress(let address):
      cannot(
        "sync",
        quoted("\(address.beginning)…"),
        because: "an address begins with https:// or http://",
        but: "did you mean \(quoted(address.suggestion))?"
      )
    case .notTakenOver(let former, let place, let problem): message(problem, former, place)
    case .library(let error, let purpose): message(error, purpose)
    case .damagedLibrary(let error, .verify, let backup):
      cannot(
        "verify",
        "the library",
        because: reason(error),
        but: [backup.map { "\(.restoreBackup(place: $0))" }, rest(after: error)]
          .compactMap(\.self).joined(separator: "; ")
      )
    case .damagedLibrary(let error, _, let backup):
      cannot(
        "back up",
        "the library",
        because: reason(error),
        but: backup.map { "the database of the backup is sound, and \(.restoreBackup(place: $0))" }
          ?? rest(after: error)
      )
    case .damagedBackup(let error, let isKnown):
      cannot(
        "update",
        "the backup",
        because: reason(error),
        but: isKnown
          ? "the library stays as it is, and \(.beginBackupAnew)"
          : "the library stays as it is, and does not know whether the backup is its own; choose another place"
      )
    case .export(let error): message(error)
    case .site(let error): message(error)
    case .noThumbnail(let id, let isDamaged): noThumbnail(id, isDamaged)
    case .noNewer(let id):
      "no newer picture is kept beside the stored ones of \(quoted(String(id)))"
    case .opening(let error, let id):
      cannot(
        "open the original of",
        quoted(String(id)),
        because: reason(error),
        but: "it is stored"
      )
    }
  }

  private static func message(
    _ problem: TakeOverProblem,
    _ former: WebAddress,
    _ place: WebAddress
  ) -> HintedText {
    let (former, name) = (quoted(former.masked), quoted(place.masked))
    let (reason, rest): (String, HintedText) =
      switch problem {
      case .otherKind:
        (
          "only a gallery can take the place of a gallery, and only a folder that of a folder",
          "without --take-over, the new feed is followed beside the other one"
        )
      case .noFolder: ("\(name) is not a folder on this disk", "nothing was changed")
      case .taken(let id, isRemoved: false):
        (
          "\(name) is followed already, as feed \(id)",
          "after \(.run(command: "remove \(id) --purge")), which forgets what that feed has, the same command does it"
        )
      case .taken(_, isRemoved: true):
        (
          "\(name) was followed before, and the library still has its images",
          "after \(.run(command: "clean")), which deletes them, the same command does it"
        )
      case .rehearsal:
        ("a dry run changes nothing", "without --dry-run, the same command does it")
      }
    return cannot("take over", former, because: reason, but: rest)
  }

  /// The schemes of files on network drives; a `file:` address that cannot be read names another machine.
  private static let shareSchemes: Set<String> = ["afp", "file", "nfs", "sftp", "smb"]

  private static func noThumbnail(_ id: Int64, _ isDamaged: Bool) -> HintedText {
    cannot(
      "show the thumbnail of",
      quoted(String(id)),
      because: isDamaged ? "the stored one is damaged" : "none is stored",
      but: isDamaged ? "a sync of its feed brings another" : nil
    )
  }

  /// The message that results could not be written, with the system's reason.
  package static func unwritableOutput(because reason: String) -> String {
    cannot("write", quoted("standard output"), because: clause(reason))
  }

  /// The message that data may not have reached the disk.
  package static func unsettled(_ error: StoreError) -> String {
    cannot("bring to the disk", "what was stored", because: reason(error))
      + " — a power cut may lose it"
  }

  /// The message that a file of certificates cannot be used.
  package static func unusableCertificates(_ path: String, because reason: String) -> String {
    cannot("use the certificates of", quoted(path), because: clause(reason))
      + " — nothing was asked"
  }

  /// The reason why the original is unavailable, and the stored picture that is shown instead.
  static func message(_ response: ShowImage.FetchOriginal.Unavailable.Response) -> HintedText {
    cannot(
      response.isRefresh && response.stored != nil
        ? "refresh the original of" : "show the original of",
      quoted(String(response.image.id)),
      because: reason(response),
      but: rest(after: response)
    )
  }

  /// What is shown instead, and what helps, if anything does.
  private static func rest(
    after response: ShowImage.FetchOriginal.Unavailable.Response
  ) -> HintedText {
    let rest = hinting(substitute(for: response), response.failure)
    if let hint = loginHint(response.failure, loggedInBy: response.asked) {
      return "\(rest); \(hint)"
    }
    guard case .network(let error) = response.failure, case .paused = error.reason,
      response.image.feed.address.hostKey == response.image.originalAddress.hostKey
    else { return rest }
    return "\(rest); \(.askDuringPause)"
  }

  /// The reason why the original is unavailable.
  static func reason(_ response: ShowImage.FetchOriginal.Unavailable.Response) -> String {
    guard response.isDamaged else { return reason(response.failure, loggedInBy: response.asked) }
    return response.failure == .offline
      ? "the stored one is damaged, and this command may not use the network"
      : "the stored one is damaged, and cannot be fetched again: \(reason(response.failure))"
  }

  private static func substitute(
    for response: ShowImage.FetchOriginal.Unavailable.Response
  ) -> HintedText {
    let image = response.image
    if response.isDamaged {
      return response.stored == nil ? "\(.showDamaged)" : "this is its file as it is"
    }
    if let stored = response.stored {
      return stored.isStale && !stored.isOfAddress(image)
        ? "this is the one stored before its feed named another" : "this is the one that is stored"
    }
    return image.thumbnail == nil
      ? "its thumbnail is not stored either" : "its thumbnail is stored"
  }

  /// What a request calls a feed, without secrets.
  private static func text(_ argument: FeedArgument) -> String {
    switch argument {
    case .id(let id): String(id)
    case .address(let address), .pipe(let address): address.masked
    case .unusable(let address): address.masked
    case .mistyped(let address): address.meant.masked
    case .name(let name): name.text
    }
  }

  private static func noSuchFeed(_ argument: FeedArgument) -> HintedText {
    if case .mistyped(let address) = argument {
      return """
        no feed \(quoted("\(address.beginning)…")) is followed; did you mean \
        \(quoted(address.suggestion))? — \(.listFeeds)
        """
    }
    let name = text(argument)
    let parts = name.split(separator: ",", omittingEmptySubsequences: false)
    let isList = parts.count > 1 && parts.allSatisfy { UInt64($0) != nil }
    let mistake =
      isList
      ? "several are named one by one: \(parts.joined(separator: " "))" : IDList.mistake(in: name)
    let note = mistake.map { "; \($0)" } ?? ""
    return "no feed \(quoted(name)) is followed\(note) — \(.listFeeds)"
  }

  private static func titleAndPath(_ name: FeedName, _ feeds: [Feed]) -> HintedText {
    let titled = feeds.filter { !name.isPath(of: $0) }
    let owner = titled.count == 1 ? "feed \(titled[0].id)" : count(titled.count, "feed")
    let both: HintedText = "\(quoted(name.text)) is the title of \(owner) and the path of"
    if titled.count < feeds.count {
      let followed = feeds.filter(name.isPath).map { "feed \($0.id)" }.joined(separator: " and ")
      return "\(both) \(followed) — an id names one: \(candidates(feeds))"
    }
    let path = Hint.run(command: "sync \(ShellWord.quoted("./" + name.text))")
    let kind = name.file.isFolder ? "folder" : "file"
    guard titled.count == 1 else {
      let ids = candidates(titled)
      return "\(both) a \(kind) — \(path) syncs the \(kind), an id a feed: \(ids)"
    }
    let feed = Hint.run(command: "sync \(titled[0].id)")
    return "\(both) a \(kind) — \(feed) syncs the feed, \(path) the \(kind)"
  }

  private static func candidates(_ feeds: [Feed]) -> String {
    feeds.map { "\($0.id) (\($0.address.masked))" }.joined(separator: ", ")
  }

  private static func ambiguousTitle(of feeds: [Feed]) -> HintedText {
    let title = quoted(feeds.first?.title ?? "")
    let owners = count(feeds.count, "feed")
    return "\(title) is the title of \(owners) — an id names one: \(candidates(feeds))"
  }

  private static func message(
    _ error: StoreError,
    _ purpose: RequestFailure.Purpose
  ) -> HintedText {
    if error.reason == .noLibrary, purpose != .restore, purpose != .recover {
      return "nothing is stored at \(quoted(error.path)) yet — \(.beginLibrary)"
    }
    if error.reason == .nothingToSearch { return "no image matches: \(reason(error))" }
    if case .tooManyWords = error.reason {
      return cannot("search", "the library", because: reason(error), but: "fewer words find more")
    }
    let (verb, thing) =
      switch purpose {
      case .list: ("read", "the library")
      case .show: ("show", "the image")
      case .sync: ("sync", "the library")
      case .remove: ("remove", "the feed")
      case .change: ("name", "the feed")
      case .pin: ("pin", "the images")
      case .unpin: ("unpin", "the images")
      case .take: ("take", "the newer picture")
      case .verify: ("verify", "the library")
      case .clean: ("clean", "the library")
      case .export: ("export", "the library")
      case .move: ("copy", "the library")
      case .backup: ("back up", "the library")
      case .restore: ("restore", "the library")
      case .recover: ("recover", "the library")
      case .serve: ("serve", "the library")
      }
    return cannot(verb, thing, because: reason(error), but: rest(after: error, of: purpose))
  }

  /// The consequence for a request; removing and cleaning can be run again, because each of their steps is permanent.
  private static func rest(
    after error: StoreError,
    of purpose: RequestFailure.Purpose
  ) -> HintedText? {
    switch (error.reason, purpose) {
    case (.full, .remove), (.readOnly, .remove), (.busy, .remove),
      (.full, .clean), (.readOnly, .clean), (.busy, .clean):
      "run it again to continue where it stopped"
    case (.unsound, .clean), (.unsound, .remove):
      "nothing was deleted; you can still list and show stored images, and \(.rebuildIndexes)"
    case (.linked, .move), (.linked, .backup), (.linked, .restore):
      "nothing was written; remove the link, or choose another place"
    case (.linked, _):
      error.path.hasSuffix("/originals")
        ? "nothing was deleted; \(.acceptLinkedOriginals)"
        : "nothing was deleted"
    case (.noLibrary, .recover): "\(.recoverLibrary(folder: nil))"
    case (.occupied, .recover): "it was not changed; \(.recoverLibrary(folder: nil))"
    case (.notBackup, .restore): "'gallery move' copies it"
    case (.removals, .backup):
      "nothing was written; \(.restoreBackup(place: error.path)), and \(.acceptLosses)"
    case (.backup, .verify):
      "without --repair it is verified, and \(.mendBackup(place: error.path))"
    default: rest(after: error)
    }
  }

  /// The consequence of a library's failure, or a remedy; nil without either.
  static func rest(after error: StoreError) -> HintedText? {
    switch error.reason {
    case .newer: "it was not changed, and a gallery of that version can read it"
    case .lostDatabase(let remains):
      rest(afterLossOf: remains, isFolder: remains.folder == error.path)
    case .foreign: "it was not changed; \(.chooseLibrary)"
    case .otherFiles: "it was not changed; name an empty folder, or one that is not there yet"
    case .older:
      """
      it was not changed, and only the program that made it reads it; the originals beside it are \
      plain files; \(.chooseLibrary)
      """
    case .unreadable: rest(afterDamageOf: error.path)
    case .unfinishedLog:
      "a copy of the whole folder, in a place that can be written, can be read"
    case .full, .reserved, .readOnly, .busy, .bounded, .tooLarge, .noFreeRoom, .databaseUnreachable:
      "stored data stays as it is"
    case .unsound: "stored data stays as it is, and \(.rebuildIndexes)"
    case .objectsUnreachable, .objectsRefused, .objectsRefusedClock, .noCredentials, .otherLibrary,
      .ignoredConditions, .otherObjects:
      "the data on this disk stays as it is"
    case .unfinishedCopy: "the command that began it continues where it stopped"
    case .occupied, .changedSince, .notBackup: "it was not changed; choose another place"
    case .notEmpty: "it was not changed; \(.chooseLibrary)"
    case .backup: "'gallery restore' makes a library from it"
    case .trashElsewhere: "\(.emptyTrash)"
    case .backupGone: "nothing was written; \(.beginBackupAnew)"
    case .removals: "nothing was written; \(.acceptLosses)"
    case .noLibrary, .unusablePlace, .forbidden, .tooManyWords, .nothingToSearch, .linked,
      .unusableKey, .other:
      nil
    }
  }

  /// The remedies for a lost database; only a library in a folder is recovered from its files.
  private static func rest(afterLossOf remains: LibraryRemains, isFolder: Bool) -> HintedText {
    var parts: [HintedText] = ["nothing was changed"]
    if let backup = remains.backups.first { parts.append("\(.restoreBackup(place: backup))") }
    if isFolder { parts.append("\(.recoverLibrary(folder: remains.folder))") }
    parts.append("a new library begins in another folder, or when these files have been moved away")
    return parts.joined(separator: "; ")
  }

  /// The remedy for a damaged database.
  private static func rest(afterDamageOf database: String) -> HintedText {
    let folder = database.utf8.lastIndex(of: UInt8(ascii: "/")).map { database[..<$0] } ?? "."
    return """
      the pictures in \(quoted("\(folder)/originals")) are plain files, and \
      \(.recoverLibrary(folder: String(folder)))
      """
  }

  private static func message(_ error: ExportError) -> HintedText {
    switch error {
    case .exists(let path):
      cannot("write", quoted(path), because: reason(error), but: "\(.replaceFile)")
    case .notAFile(let path), .unwritable(let path, _):
      cannot("write", quoted(path), because: reason(error), but: nil)
    case .closed: cannot("write", quoted("standard output"), because: reason(error), but: nil)
    case .unreadable(let path, _):
      cannot("read", quoted(path), because: reason(error), but: nil)
    case .damaged(let path, let isSpilt):
      cannot(
        "copy",
        quoted(path),
        because: reason(error),
        but: isSpilt ? "the written part is wrong, and another try fetches it again" : nil
      )
    }
  }
}

extension ShowImage.FetchOriginal.Unavailable.Response {
  /// The address of the feed or the gallery whose login the server got.
  fileprivate var asked: WebAddress { image.feed.gallery ?? image.feed.address }
}

extension StoredOriginal {
  /// Whether it came from the address that the feed names.
  func isOfAddress(_ image: WebImage) -> Bool {
    address?.identity == image.originalAddress.identity
  }
}
