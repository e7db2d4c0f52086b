package import Models
package import Workers

/// Messages about the problems and notices of a sync.
extension Wording {
  /// The message about one picture of a feed, or about several that failed for the same reason.
  static func message(_ alike: [SyncProblem], of feed: String) -> HintedText {
    guard let first = alike.first, alike.count > 1 else {
      return alike.map { message($0) }.joined(separator: "")
    }
    let (verb, noun) =
      switch first.subject {
      case .original: ("fetch", "original")
      case .madeThumbnail: ("make", "thumbnail")
      default: ("fetch", "thumbnail")
      }
    return cannot(
      verb,
      "\(count(alike.count, noun)) of \(quoted(feed))",
      because: "\(reason(first.failure)), for example \(quoted(first.address.masked))",
      but: rest(after: first)
    )
  }

  /// The message that a feed has more problems like the last ones.
  static func more(_ number: Int, of feed: String) -> HintedText {
    "and \(grouped(number)) more such \(number == 1 ? "problem" : "problems") of \(quoted(feed))"
  }

  /// The message about a problem of a sync, with its consequence.
  ///
  /// With `isNew`, it is the problem of a feed that the library does not have. `ids` has feeds whose addresses have
  /// secrets.
  static func message(
    _ problem: SyncProblem,
    isNew: Bool = false,
    ids: [WebAddress: Int64] = [:]
  ) -> HintedText {
    let reason =
      reason(problem.failure, loggedInBy: problem.subject == .feed ? problem.address : nil)
      + difference(problem.address, problem.otherAddress)
    let thing = quoted(problem.address.masked)
    if problem.severity == .blemish { return "\(thing) has \(reason) — nothing of it is lost" }
    return cannot(verb(for: problem), thing, because: reason, but: rest(after: problem, isNew, ids))
  }

  /// A note that two addresses are not the same one, if only what is masked tells them apart; empty for others.
  private static func difference(_ one: WebAddress, _ other: WebAddress?) -> String {
    guard let other, other != one, other.masked == one.masked else { return "" }
    return " (the two addresses differ in what is masked)"
  }

  /// What a hint calls a feed: its address, or its id if the address has secrets; nil if that is not known.
  private static func word(for feed: WebAddress, _ ids: [WebAddress: Int64] = [:]) -> String? {
    ids[feed].map { String($0) } ?? (feed.hasSecrets ? nil : feed.text)
  }

  /// The message about a problem as a detail, with the words of the C library that reported it.
  static func detail(_ problem: SyncProblem) -> HintedText {
    let message: HintedText = message(problem)
    return problem.failure.libraryWords.map { "\(message) (\($0))" } ?? message
  }

  /// The message about a problem, for a request that may have named the feed in words, or named no feed.
  static func message(_ response: SyncFeeds.Problem.Response) -> HintedText {
    let problem = response.problem
    if !response.others.isEmpty {
      return cannot(
        "sync",
        count(response.others.count + 1, "feed"),
        because: "no server can be reached, so there is probably no network",
        but: "stored data stays as it is"
      )
    }
    let isFollowed = response.isOfEveryFeed || !response.isNew
    if isFollowed, problem.subject == .feed, problem.failure.isLostFile {
      let address = word(for: problem.address, response.ids)
      return cannot(
        "sync",
        quoted(problem.address.masked),
        because: reason(problem.failure),
        but: problem.address.isFolder
          ? "stored data stays as it is; \(.moveFolder(former: address)), and \(.removeFeed(address: address))"
          : "stored data stays as it is, and \(.removeFeed(address: address))"
      )
    }
    guard let name = response.guessedFrom else {
      return message(problem, isNew: response.isNew, ids: response.ids)
    }
    let reason = reason(problem.failure)
    let both =
      name.web == nil
      ? "\(IDList.mistake(in: name.text) ?? "no feed has this title"), and as a file: \(reason)"
      : "there is no such file, and \(quoted(problem.address.masked)) does not work: \(reason)"
    let rest = rest(after: problem, response.isNew, response.ids)
    return cannot("sync", quoted(name.text), because: both, but: rest)
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

  /// The consequence of a problem.
  private static func rest(
    after problem: SyncProblem,
    _ isNew: Bool = false,
    _ ids: [WebAddress: Int64] = [:]
  ) -> HintedText {
    switch problem.subject {
    case .feed: hinting(rest(afterFeed: problem, isNew: isNew, ids), problem.failure)
    case .document: hinting(rest(afterDocument: problem), problem.failure)
    case .page: hinting("the rest of its feed was read", problem.failure)
    case .thumbnail, .madeThumbnail:
      restWithoutDecoder(problem) ?? nextTry(problem.failure, isOriginal: false)
    case .making: "gallery has fetched what the feed names, and the next sync tries again"
    case .original: nextTry(problem.failure, isOriginal: true)
    }
  }

  private static func rest(afterDocument problem: SyncProblem) -> HintedText {
    if case .feed(.beyondBound(_, let stored)) = problem.failure { return rest(beyond: stored) }
    return problem.isTakenAddress ? "both feeds stay as they are" : "the rest was read"
  }

  /// The consequence when a feed is beyond a limit.
  private static func rest(beyond stored: Int) -> HintedText {
    let what =
      switch stored {
      case 0: "no image had been read"
      case 1: "the 1 image that was read is stored, and stays"
      default: "the \(count(stored, "image")) that were read are stored, and stay"
      }
    return "\(what); \(.readWholeFeed)"
  }

  private static func rest(
    afterFeed problem: SyncProblem,
    isNew: Bool,
    _ ids: [WebAddress: Int64]
  ) -> HintedText {
    let failure = problem.failure
    let stored = isNew ? "nothing was stored" : "stored data stays as it is"
    if case .feed(.gallery(let fault)) = failure {
      return rest(after: fault, at: problem.address, stored, ids)
    }
    if case .feed(.beyondBound(_, let count)) = failure { return rest(beyond: count) }
    if case .feed(.listedBeyondBound) = failure {
      return "gallery has stored what arrived, and later syncs continue; \(.readWholeList)"
    }
    if case .network(let error) = failure, case .paused = error.reason {
      return "\(stored); \(.askDuringPause)"
    }
    if let hint = loginHint(failure, loggedInBy: problem.address) { return "\(stored); \(hint)" }
    if let other = failure.otherScheme(of: problem.address) {
      return "\(stored); \(.askByOtherScheme(other.scheme, address: word(for: other)))"
    }
    if case .feed(.otherFolder(let former, _, _)) = failure {
      let (former, address) = (word(for: former, ids), word(for: problem.address, ids))
      return "\(stored); \(.takeOverAnyway(former: former, address: address))"
    }
    if case .feed(.replaced(_, _, let offers)) = failure, !offers.isEmpty {
      let addresses = offers.compactMap { word(for: $0) }
      return addresses.isEmpty
        ? "\(stored); the page names a feed, but its address has secrets"
        : "\(stored); \(.followOffered(addresses: addresses))"
    }
    if failure == .feed(.webPage) {
      let hint = Hint.followPage(address: word(for: problem.address))
      return "it names no feed, and none is at the usual places; \(hint)"
    }
    if let hint = hint(for: problem) { return "\(stored); \(hint)" }
    guard case .store(let error) = failure else { return "\(stored)" }
    return rest(after: error) ?? "\(stored)"
  }

  /// What was probably meant by the name of a file or a pipe that is not a feed; nil for anything else.
  private static func hint(for problem: SyncProblem) -> Hint? {
    guard case .feed(.notAFeed(let kind)) = problem.failure else { return nil }
    let (address, path) = (problem.address, problem.address.filePath)
    if kind == "plain text" {
      return address.isAnonymousPipe
        ? .readAddresses(file: "-") : path.map { .readAddresses(file: $0) }
    }
    guard kind.hasSuffix(" image"), path != nil else { return nil }
    return address.fileFolder.map { .followFolder(path: $0) }
  }

  private static func rest(
    after fault: GalleryFault,
    at gallery: WebAddress,
    _ stored: String,
    _ ids: [WebAddress: Int64]
  ) -> HintedText {
    let rest: HintedText = "\(stored)"
    let address = word(for: gallery, ids)
    return switch fault {
    case .mirroredFrom(let former)
    where GalleryAddress(base: former, isStatic: false)
      .isAtPlace(of: GalleryAddress(base: gallery, isStatic: false)):
      """
      \(rest); in place of what is followed of it, \
      \(.takeOver(former: word(for: former, ids), address: address))
      """
    case .mirroredFrom(let former):
      "\(rest); if it has moved, \(.takeOver(former: word(for: former, ids), address: address))"
    case .unsigned, .otherKey:
      "\(rest); if its owner says that its key has changed, \(.takeOver(former: address, address: address))"
    case .otherPart:
      "\(rest); if its token is for that part now, \(.takeOver(former: address, address: address))"
    case .removals(_, _, let former?):
      "\(rest); \(.takeOverAnyway(former: word(for: former, ids), address: address))"
    case .replaced, .removals: "\(rest); \(.acceptRemovals(address: address))"
    default: rest
    }
  }

  /// The consequence of a picture that this machine does not decode, where another try would not help; nil for others.
  ///
  /// The file at a thumbnail's address may change. An original from which a thumbnail is made has arrived.
  private static func restWithoutDecoder(_ problem: SyncProblem) -> HintedText? {
    guard case .imaging(let error) = problem.failure else { return nil }
    switch error {
    case .unsupported, .undrawn, .refused:
      return "there is no thumbnail until a library of this machine draws such pictures"
    case .tooManyPixels, .tooManyDecodedBytes, .resultTooLarge:
      return "there is no thumbnail"
    case .undecodable where problem.subject == .madeThumbnail:
      return "there is no thumbnail until the original changes"
    default: return nil
    }
  }

  /// The hint on which sync requests a picture again, or on how to allow a private address.
  private static func nextTry(_ failure: Failure, isOriginal: Bool) -> HintedText {
    if failure.isPrivateAddress { return "\(.allowPrivate)" }
    let time: Hint.SyncAgain.Time =
      switch failure.pictureClass {
      case .offline, nil: .next
      case .transient: .later
      case .permanent, .forbidden: .someDaysLater
      }
    return "\(.syncAgain(.init(time: time, isOriginal: isOriginal)))"
  }

  /// A consequence, with a hint if the feed led to a private address that it may not reach.
  static func hinting(_ rest: HintedText, _ failure: Failure) -> HintedText {
    failure.isPrivateAddress ? "\(rest); \(.allowPrivate)" : rest
  }

  private static func text(_ retired: RetiredPictures) -> String {
    let parts = [(retired.images, "image"), (retired.originals, "original")].filter { $0.0 > 0 }
    return parts.map { count($0.0, $0.1) }.joined(separator: " and ") + " removed"
  }

  private static func text(_ files: LeftOutFiles) -> String {
    let parts = [
      files.raw > 0 ? count(files.raw, "raw file") : nil,
      files.links > 0 ? count(files.links, "link") : nil,
      files.notPictures > 0
        ? "\(count(files.notPictures, "file")) without a picture in \(files.notPictures == 1 ? "it" : "them")"
        : nil,
    ].compactMap(\.self)
    guard let last = parts.last, parts.count > 1 else { return parts.joined() }
    return "\(parts.dropLast().joined(separator: ", ")) and \(last)"
  }

  // MARK: Notices

  /// The reason why new images were not announced after an earlier announcement was ended with the sync.
  static let stoppedTelling = "the sync was interrupted"

  /// The message about an event of a sync that is not a problem.
  package static func notice(_ notice: SyncNotice, ids: [WebAddress: Int64] = [:]) -> HintedText {
    switch notice {
    case .waiting(let holder, let feed):
      "\(lock(holder, on: quoted(feed.masked))) — waiting for it"
    case .moved(let former, let address):
      """
      \(quoted(former.masked)) has moved permanently: its address is \(quoted(address.masked)) from \
      now on\(difference(former, address)) — the old address still works
      """
    case .unlisted(let feed, let list):
      """
      \(quoted(list.title ?? list.address.masked)) has \(quoted(feed.masked)) no longer — it is \
      followed until it is removed
      """
    case .empty(let feed):
      // A document from a pipe cannot be read again.
      """
      \(quoted(feed.masked)) has no images — \
      \(.explainFeed(address: feed.isPiped ? nil : word(for: feed, ids)))
      """
    case .leftOut(let files, let folder):
      """
      \(quoted(folder.masked)) has \(text(files)), which \(files.isOne ? "is" : "are") left out — \
      \(.explainFolder(address: word(for: folder, ids) ?? folder.masked))
      """
    case .trustedOnce(_, let file):
      """
      the certificate authorities of \(quoted(file)) count for this sync alone — \(.keepAuthorities)
      """
    case .overlaps(let folder, let feed, let isInside):
      """
      \(quoted(folder.masked)) \(isInside ? "is in" : "contains") \(quoted(feed.address.masked)), feed \
      \("\(feed.id)"), and the pictures that are in both are images of both feeds — \
      \(.removeEither(added: word(for: folder, ids) ?? folder.masked, other: "\(feed.id)"))
      """
    case .notTakenOver(let former, let feed):
      """
      \(quoted(feed.masked)) is \(feed.isFolder ? "followed already" : "not a gallery"), and so does not go \
      on with what the library has of \
      \(quoted(former.masked)) — that stays as it is
      """
    case .readFromPipe(let feed):
      """
      \(quoted(feed.masked)) came through a pipe, and only its pictures are asked for — \
      \(.readFromPipe)
      """
    case .bounded(let error):
      switch error.reason {
      case .noFreeRoom: "thumbnails wait for an original: \(clause(reason(error)))"
      case .tooLarge(let bound):
        "an original waits that is larger than all originals may be together, \(size(bound))"
      default: "originals wait: \(clause(reason(error)))"
      }
    case .notTold(let feed, let reason):
      "the new images of \(quoted(name(of: feed))) are stored, but could not be announced: \(clause(reason))"
    case .retired(let pictures, let feed):
      "\(quoted(name(of: feed))) keeps its newest: \(text(pictures))"
    case .put(let number, let bytes, let store):
      "put \(count(number, "original")) into \(quoted(store)) (\(size(bytes)))"
    case .packed(let packed, let store):
      """
      put \(count(packed.thumbnails, "thumbnail")) into \(quoted(store)) as \
      \(count(packed.packs, "pack")) (\(size(packed.bytes)))
      """
    case .notPut(let number, let error): notPut(number, error)
    case .exported(let folder, let counts):
      summary(.init(folder: folder, counts: counts, isInterrupted: false, isDryRun: false))
    case .notExported(let error): message(error)
    case .paused(let feeds): paused(feeds)
    case .stillFailing(let feed, let reason, let next):
      """
      \(quoted(name(of: feed))) has failed: \(clause(reason)) — asked again \(nextTry(next))
      """
    case .moreFailing(let feeds):
      """
      and \(grouped(feeds)) more \(feeds == 1 ? "feed has" : "feeds have") failed — \
      \(.explainFailures)
      """
    case .recovered(let feed): "\(quoted(name(of: feed))) answers again"
    case .unwatched(let folder, let problem):
      "cannot watch \(quoted(folder.masked)): \(reason(problem)) — it is listed each minute"
    case .waitingForLibrary(let error): "cannot sync yet: \(reason(error)) — waiting for it"
    }
  }

  private static func reason(_ problem: FolderWatchProblem) -> String {
    switch problem {
    case .limit(let name): "the system's limit \(name) is reached"
    case .fileSystem(let name): "\(name) does not tell of each change"
    case .system(let message): message
    }
  }

  private static func notPut(_ number: Int, _ error: StoreError) -> HintedText {
    let reason = reason(error)
    if number == 0 { return "the object store was not brought up to date: \(reason)" }
    let originals = "\(count(number, "original")) stored here, but not in the object store yet"
    return "\(originals): \(reason) — the next sync tries again"
  }

  private static func paused(_ feeds: Int) -> HintedText {
    let hint = Hint.askPausedFeed(isOne: feeds == 1)
    return feeds == 1
      ? "1 feed is paused, because its server says that it is gone — \(hint)"
      : "\(grouped(feeds)) feeds are paused, because their servers say that they are gone — \(hint)"
  }

  /// The process that is syncing a feed, and the time when it began.
  static func lock(_ holder: LockHolder?, on feed: String) -> String {
    guard let holder else { return "another process is syncing \(feed)" }
    return "process \(holder.process) has been syncing \(feed) since \(localTime(holder.since))"
  }
}

extension Failure {
  fileprivate var isPrivateAddress: Bool {
    if case .network(let error) = self { error.reason == .privateAddress } else { false }
  }

  /// The address with the other of http and https, if a server of the other kind probably caused the failure.
  fileprivate func otherScheme(of address: WebAddress) -> WebAddress? {
    guard case .network(let error) = self, let cause = error.cause else { return nil }
    switch (address.scheme, cause) {
    case ("https", .handshake): return WebAddress("http" + address.text.dropFirst("https".count))
    case ("http", .connectionReset), ("http", .noAnswer), ("http", .notHTTP), ("http", .cutHeader):
      return WebAddress("https" + address.text.dropFirst("http".count))
    default: return nil
    }
  }

  /// Whether a file cannot be read, for example because it was deleted.
  fileprivate var isLostFile: Bool {
    if case .network(let error) = self { error.reason == .unreadableFile } else { false }
  }
}

extension SyncProblem {
  fileprivate var isTakenAddress: Bool {
    if case .addressTaken = failure { true } else { false }
  }

  /// The address of another feed that the reason names.
  fileprivate var otherAddress: WebAddress? {
    switch failure {
    case .addressTaken(let other), .feed(.gallery(.mirroredFrom(let other))),
      .feed(.gallery(.unlikeFormer(let other))):
      other
    default: nil
    }
  }
}
