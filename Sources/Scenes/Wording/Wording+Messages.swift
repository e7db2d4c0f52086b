import Models
package import Workers

extension Wording {
  /// Why a request came to nothing.
  package static func message(_ failure: RequestFailure) -> String {
    switch failure {
    case .noFeedKnown: "no feed is followed yet — 'gallery sync <feed-url>' follows one"
    case .noSuchFeed(let argument): noSuchFeed(argument)
    case .ambiguousTitle(let feeds): ambiguousTitle(of: feeds)
    case .ambiguousManifest(let addresses):
      "\(count(addresses.count, "manifest")) have that label — an address names one: "
        + addresses.map(\.masked).joined(separator: ", ")
    case .noSuchImage(let id):
      cannot(
        "show",
        quoted(String(id)),
        because: "no such image",
        but: "'gallery list' shows the ids"
      )
    case .unusableAddress(let address):
      cannot(
        "sync",
        quoted(address.masked),
        because: "feeds are read by https or http, or from a file"
      )
    case .library(let error, let purpose): message(error, purpose)
    case .export(let error): message(error)
    case .noThumbnail(let id, let isDamaged):
      cannot(
        "show the thumbnail of",
        quoted(String(id)),
        because: isDamaged ? "the stored one is damaged" : "none is stored",
        but: isDamaged ? "a sync of its feed brings another" : nil
      )
    case .opening(let error, let id):
      cannot(
        "open the original of",
        quoted(String(id)),
        because: reason(error),
        but: "it is stored"
      )
    }
  }

  /// Results could not be written; the system's own words.
  package static func unwritableOutput(because reason: String) -> String {
    cannot("write", quoted("standard output"), because: clause(reason))
  }

  /// What was written may not have reached the disk.
  package static func unsettled(_ error: StoreError) -> String {
    cannot(
      "bring to the disk",
      "what was stored",
      because: reason(error),
      but: "a power cut may lose it"
    )
  }

  /// A file of certificates that was named and is of no use; the system's words or ours.
  package static func unusableCertificates(_ path: String, because reason: String) -> String {
    cannot(
      "use the certificates of",
      quoted(path),
      because: clause(reason),
      but: "nothing was asked"
    )
  }

  /// Why there is no original, or none that is surely right, and what is there instead.
  static func message(_ response: ShowImage.FetchOriginal.Unavailable.Response) -> String {
    cannot(
      response.isRefresh && response.stored != nil
        ? "refresh the original of" : "show the original of",
      quoted(String(response.image.id)),
      because: reason(response),
      but: substitute(for: response)
    )
  }

  /// Why there is no original.
  static func reason(_ response: ShowImage.FetchOriginal.Unavailable.Response) -> String {
    guard response.isDamaged else { return reason(response.failure) }
    return response.failure == .offline
      ? "the stored one is damaged, and the network was not to be asked"
      : "the stored one is damaged, and cannot be fetched again: \(reason(response.failure))"
  }

  private static func substitute(
    for response: ShowImage.FetchOriginal.Unavailable.Response
  ) -> String {
    let image = response.image
    if response.isDamaged {
      return response.stored == nil
        ? "--force without --output shows its file as it is" : "this is its file as it is"
    }
    if let stored = response.stored {
      let isOfAddress = stored.address?.identity == image.originalAddress.identity
      return stored.isStale && !isOfAddress
        ? "this is the one stored before its feed named another" : "this is the one that is stored"
    }
    return image.thumbnail == nil
      ? "its thumbnail is not stored either" : "its thumbnail is stored"
  }

  private static func noSuchFeed(_ argument: FeedArgument) -> String {
    let name =
      switch argument {
      case .id(let id): String(id)
      case .address(let address), .pipe(let address): address.masked
      case .unusable(let address): address.masked
      case .name(let name): name.text
      }
    return "no feed \(quoted(name)) is followed — 'gallery feeds' lists the ones that are"
  }

  private static func ambiguousTitle(of feeds: [Feed]) -> String {
    let candidates = feeds.map { "\($0.id) (\($0.address.masked))" }.joined(separator: ", ")
    return "\(quoted(feeds.first?.title ?? "")) is the title of \(count(feeds.count, "feed"))"
      + " — an id names one: \(candidates)"
  }

  private static func message(_ error: StoreError, _ purpose: RequestFailure.Purpose) -> String {
    if error.reason == .noLibrary {
      return "nothing is stored at \(quoted(error.path)) yet — 'gallery sync <feed-url>' begins"
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
      case .name: ("name", "the feed")
      case .verify: ("verify", "the library")
      case .clean: ("clean", "the library")
      }
    return cannot(verb, thing, because: reason(error), but: rest(after: error, of: purpose))
  }

  /// Removing and cleaning take many steps, each of which lasts.
  private static func rest(
    after error: StoreError,
    of purpose: RequestFailure.Purpose
  ) -> String? {
    switch (error.reason, purpose) {
    case (.full, .remove), (.readOnly, .remove), (.busy, .remove),
      (.full, .clean), (.readOnly, .clean), (.busy, .clean):
      "run it again to go on where it stopped"
    case (.unsound, .clean), (.unsound, .remove):
      """
      nothing was deleted; what is stored can be listed and shown, and 'gallery verify --repair' \
      builds damaged indexes again
      """
    case (.linked, _):
      error.path.hasSuffix("/originals")
        ? "nothing was deleted; 'gallery clean --linked-originals' says that it is meant"
        : "nothing was deleted"
    default: rest(after: error)
    }
  }

  /// What a library's failure leaves, or what helps; nil where there is nothing to say.
  static func rest(after error: StoreError) -> String? {
    switch error.reason {
    case .newer: "it was not changed, and a gallery of that version can read it"
    case .foreign: "it was not changed; --cache names another folder"
    case .unreadable: rest(afterDamageOf: error.path)
    case .unfinishedLog:
      "a copy of the whole folder, in a place that can be written, can be read"
    case .full, .reserved, .readOnly, .busy: "what is stored stays as it is"
    case .unsound:
      "what is stored stays as it is, and 'gallery verify --repair' builds damaged indexes again"
    case .noLibrary, .forbidden, .tooManyWords, .nothingToSearch, .linked, .other: nil
    }
  }

  /// `.recover` is a command of SQLite's own shell (www.sqlite.org/recovery.html).
  private static func rest(afterDamageOf database: String) -> String {
    let folder = database.utf8.lastIndex(of: UInt8(ascii: "/")).map { database[..<$0] } ?? "."
    return """
      the pictures in \(quoted("\(folder)/originals")) are plain files, and SQLite's own program \
      may save the rest: sqlite3 gallery.sqlite .recover
      """
  }

  private static func message(_ error: ExportError) -> String {
    switch error {
    case .exists(let path):
      cannot("write", quoted(path), because: reason(error), but: "--force replaces it")
    case .notAFile(let path): cannot("write", quoted(path), because: reason(error))
    case .closed: cannot("write", quoted("standard output"), because: reason(error))
    case .unwritable(let path, _): cannot("write", quoted(path), because: reason(error))
    case .unreadable(let path, _): cannot("read", quoted(path), because: reason(error))
    case .damaged(let path, let isSpilt):
      cannot(
        "copy",
        quoted(path),
        because: reason(error),
        but: isSpilt ? "what was written of it is wrong, and another try fetches it again" : nil
      )
    }
  }
}
