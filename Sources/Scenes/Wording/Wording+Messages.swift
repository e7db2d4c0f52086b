import Models
import Workers

extension Wording {
  /// A problem of a sync, and what becomes of it.
  static func message(_ problem: SyncProblem) -> String {
    let reason = reason(problem.failure)
    let thing = quoted(problem.address.masked)
    return cannot(verb(for: problem), thing, because: reason, but: rest(after: problem))
  }

  /// The same, where a feed was named without a scheme and nothing came of what that may mean.
  static func message(_ response: ListImages.SyncFeeds.Problem.Response) -> String {
    let problem = response.problem
    guard let name = response.guessedFrom else { return message(problem) }
    let reason = reason(problem.failure)
    let both =
      name.web == nil
      ? "no feed has this title, and as a file: \(reason)"
      : "there is no such file, and \(quoted(problem.address.masked)) does not work: \(reason)"
    return cannot("sync", quoted(name.text), because: both, but: rest(after: problem))
  }

  private static func verb(for problem: SyncProblem) -> String {
    switch problem.subject {
    case .feed: "sync"
    case .document: problem.isTakenAddress ? "move" : "read all of"
    case .page: "read"
    case .thumbnail: "fetch the thumbnail"
    case .madeThumbnail: "make a thumbnail of"
    case .making: "make the thumbnails that are missing of"
    case .original: "fetch the original"
    }
  }

  /// What works in spite of a problem.
  private static func rest(after problem: SyncProblem) -> String {
    switch problem.subject {
    case .feed: rest(afterFeed: problem.failure)
    case .document: problem.isTakenAddress ? "both feeds stay as they are" : "the rest was read"
    case .page: "the rest of its feed was read"
    case .thumbnail, .madeThumbnail: nextTry(problem.failure, of: "sync")
    case .making: "what the feed names was fetched, and the next sync tries again"
    case .original: nextTry(problem.failure, of: "sync with --originals")
    }
  }

  private static func rest(afterFeed failure: Failure) -> String {
    guard case .store(let error) = failure else { return "what is stored stays as it is" }
    return rest(after: error) ?? "what is stored stays as it is"
  }

  /// Which sync asks again for a picture that could not be had.
  private static func nextTry(_ failure: Failure, of sync: String) -> String {
    if case .network(let error) = failure, error.reason == .privateAddress {
      return "a sync of the feed with --allow-private tries again"
    }
    return switch failure.pictureClass {
    case .offline, nil: "the next \(sync) tries again"
    case .transient: "a later \(sync) tries again"
    case .permanent: "a \(sync) some days later tries again, one with --retry-failed at once"
    }
  }

  /// Why a request came to nothing.
  package static func message(_ failure: RequestFailure) -> String {
    switch failure {
    case .noFeedKnown: "no feed is followed yet — 'gallery sync <feed-url>' follows one"
    case .noSuchFeed(let argument): noSuchFeed(argument)
    case .ambiguousTitle(let feeds): ambiguousTitle(of: feeds)
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
    case .noThumbnail(let id):
      cannot("show the thumbnail of", quoted(String(id)), because: "none is stored")
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
      because: reason(response.failure),
      but: substitute(for: response)
    )
  }

  private static func substitute(
    for response: ShowImage.FetchOriginal.Unavailable.Response
  ) -> String {
    let image = response.image
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
      "done again, it goes on where it stopped"
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
  private static func rest(after error: StoreError) -> String? {
    switch error.reason {
    case .newer: "it was not touched, and a gallery of that version reads it"
    case .foreign: "it was not touched, and --cache names another place"
    case .unreadable: rest(afterDamageOf: error.path)
    case .unfinishedLog:
      "a copy of the whole folder, in a place that can be written, can be read"
    case .full, .readOnly, .busy: "what is stored stays as it is"
    case .unsound:
      "what is stored stays as it is, and 'gallery verify --repair' builds damaged indexes again"
    case .noLibrary, .forbidden, .tooManyWords, .linked, .other: nil
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
    }
  }
}

extension SyncProblem {
  fileprivate var isTakenAddress: Bool {
    if case .addressTaken = failure { true } else { false }
  }
}
