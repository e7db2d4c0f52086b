import Models
package import Workers

extension Wording {
  /// The reason as it is stored with a feed or a picture.
  ///
  /// Readers of a server see it. So of a failure of the library or its decoder, it names no file of this machine.
  package static func storedReason(_ failure: Failure) -> String {
    guard failure.isOfLibrary else { return reason(failure) }
    return switch failure {
    case .imaging(.noDecoder): "there is no decoder"
    case .imaging(.cannotStart): "the decoder cannot be started"
    case .imaging: "a file of the library cannot be read"
    case .store(let error): storedReason(error)
    default: "the library failed"
    }
  }

  private static func storedReason(_ error: StoreError) -> String {
    switch error.reason {
    case .full, .reserved: "no space is left for the library"
    case .readOnly: "the library cannot be written"
    case .busy: "another program has held the library for too long"
    case .databaseUnreachable: "the database of the library cannot be reached"
    case .unreadable, .unsound, .lostDatabase: "the library is damaged"
    default: "the library failed"
    }
  }

  /// The reason why something could not be fetched, read or stored.
  package static func reason(_ failure: Failure) -> String {
    switch failure {
    case .network(let error): reason(error)
    case .status(407): loginOfProxy
    case .status(let status): "the server answered \(answer(status))"
    case .gone:
      "the server says that it is gone (410), and gallery asks it again only when you name it"
    case .feed(let error): reason(error)
    case .store(let error): reason(error)
    case .imaging(let error): reason(error)
    case .notAPicture(let kind): "the data is not a picture but \(kind)"
    case .doubtfulSuccessor: "its server sends a picture that may not be the same"
    case .cutPicture(let format): "the \(name(of: format)) picture ends too early"
    case .flaw(let flaw): flaw.words
    case .addressTaken(let target):
      "it has moved permanently to \(quoted(target.masked)), which is another feed's address"
    case .locked(let holder): lock(holder, on: "it")
    case .offline: "the original is not stored, and this command may not use the network"
    case .notFollowed: "no followed feed names it"
    case .interrupted: "interrupted"
    case .overBudget: "it would take more than the budget of this run"
    }
  }

  /// The reason of a failure of a server that was asked with the login in an address, if that has one.
  static func reason(_ failure: Failure, loggedInBy address: WebAddress?) -> String {
    isRefusedLogin(failure, in: address)
      ? "the server answered 401 (the login was refused)" : reason(failure)
  }

  /// How to log in to a server that answered 401, by another login than the one in an address, if that has one.
  static func loginHint(_ failure: Failure, loggedInBy address: WebAddress?) -> Hint? {
    guard failure == .status(401) else { return nil }
    return isRefusedLogin(failure, in: address) ? .renewLogin : .logIn
  }

  private static func isRefusedLogin(_ failure: Failure, in address: WebAddress?) -> Bool {
    failure == .status(401) && address?.hasSecrets == true
  }

  static func reason(_ error: FeedError) -> String {
    switch error {
    case .notAFeed(let kind): "not a feed but \(kind)"
    case .replaced(let former, let kind, _):
      "there is \(name(of: kind)) in place of \(name(of: former))"
    case .otherFolder(let former, let found, let total):
      "\(found == 0 ? "none" : "only \(grouped(found))") of the \(count(total, "picture"))"
        + " of \(quoted(former.masked)) \(found > 1 ? "are" : "is") in it"
    case .malformed(let flaw): "damaged beyond reading: \(flaw.words)"
    case .beyondLimit(let what, let limit): "\(what) beyond the limit of \(limit)"
    case .beyondBound(let bound, _): "\(excess(bound)) in one sync of one feed"
    case .gallery(let fault): reason(fault)
    case .listedBeyondBound(let bound, let count):
      "the feeds that lists name have taken \(excess(bound)) together in one sync, and"
        + " \(self.count(count, "feed")) of it \(count == 1 ? "was" : "were") not asked for"
    case .emptyFolder: "there is no picture in this folder"
    }
  }

  private static func name(of kind: FeedFormat.Kind) -> String {
    switch kind {
    case .feed: "a feed"
    case .list: "plain JSON"
    case .manifest: "a IIIF document"
    case .listOfFeeds: "a list of feeds"
    case .page: "an HTML page"
    case .folder: "a folder"
    case .gallery: "a gallery"
    }
  }

  private static func reason(_ fault: GalleryFault) -> String {
    switch fault {
    case .notAGallery: "it does not answer as a gallery"
    case .malformedPage: "the gallery sent changes that cannot be read"
    case .longPage(let limit): "the gallery sent more than \(grouped(limit)) changes at once"
    case .repeatedCursor: "the gallery sent the same cursor twice, so that its changes never end"
    case .otherLibrary: "the gallery sent changes of different libraries"
    case .ownLibrary: "it is this library itself, or a copy of it"
    case .mirroredFrom(let former):
      "it says that it is the gallery that is mirrored from \(quoted(former.masked))"
    case .unsigned: "the gallery has signed before, and its answer has no signature"
    case .otherKey: "the gallery has another key than before, so it may be another gallery"
    case .otherPart: "the gallery sends another part of its images than before"
    case .wrongSignature: "the gallery's signature does not match its answer"
    case .unlikeFormer(let former):
      "it is not the gallery that is mirrored from \(quoted(former.masked))"
    case .replaced(let images):
      "another library is at this address, and \(images == 1 ? "the" : "all") \(count(images, "image"))"
        + " of the mirrored one would go"
    case .removals(let lost, let total, _):
      losses(lost, of: total, "\(total == 1 ? "was" : "were") mirrored")
    case .wrongNode: "the gallery sent a part of its tree that does not match its hash"
    case .wrongPicture: "the gallery sent a picture that does not match its hash"
    case .withheldOriginal:
      "the gallery sends its originals only without the places where they were taken, or not at all"
    case .unsteadyTree: "the gallery changed too often while it was read"
    }
  }

  /// What a copy would lose.
  private static func losses(_ lost: Int, of total: Int, _ those: String) -> String {
    "\(grouped(lost)) of the \(count(total, "image")) that \(those) would go"
  }

  private static func excess(_ bound: FeedBounds.Bound) -> String {
    switch bound {
    case .images(let limit): "more than \(count(limit, "image"))"
    case .storedBytes(let limit): "more than \(size(limit)) for the library"
    case .documents(let limit): "more than \(count(limit, "further document"))"
    case .documentBytes(let limit): "more than \(size(limit)) of documents"
    case .seconds(let limit): "more than \(duration(.seconds(limit))) of reading"
    }
  }

  /// What a folder still has of a library.
  private static func list(_ remains: LibraryRemains) -> String {
    var parts: [String] = []
    if remains.originals > 0 { parts.append(count(remains.originals, "original")) }
    if remains.packs > 0 {
      let packs = "\(grouped(remains.packs)) packs of thumbnails"
      parts.append(remains.packs == 1 ? "thumbnails" : packs)
    }
    if remains.hasKey { parts.append("a key pair") }
    if let backup = remains.backups.first {
      parts.append("a note of a backup at \(quoted(backup))")
    }
    guard let last = parts.popLast() else { return "nothing" }
    return parts.isEmpty ? last : "\(parts.joined(separator: ", ")) and \(last)"
  }

  static func reason(_ error: StoreError) -> String {
    let (path, message) = (quoted(error.path), clause(error.message))
    return switch error.reason {
    case .noLibrary: "there is no library at \(path) yet"
    case .lostDatabase(let remains) where remains.folder == error.path:
      "the database of \(path) is missing or empty, but its folder has \(list(remains))"
    case .lostDatabase(let remains):
      "there is no library in \(path), but \(quoted(remains.folder)) has \(list(remains))"
    case .older:
      "\(path) was made by a development version of gallery, from before 26 November 2026"
    case .newer: "\(path) was made by a later version of gallery: \(message)"
    case .foreign: "\(path) is not a library of gallery: \(message)"
    case .otherFiles: "\(path) has other files, such as \(quoted(error.message))"
    case .unreadable: "\(path) is damaged, or is not a library: \(message)"
    case .unsound: "\(path) is damaged: \(message)"
    case .linked where error.message.isEmpty: "\(path) is a link that leads nowhere"
    case .linked: "\(path) is a link to \(quoted(error.message))"
    case .forbidden: "\(path) cannot be read: \(message)"
    case .unfinishedLog: "\(path) has changes that can be read only where it can be written"
    case .full: "no space is left for \(path)"
    case .reserved(let bytes):
      "no space is left for \(path)"
        + (bytes > 0 ? " but the \(size(bytes)) that a sync leaves free" : "")
    case .bounded(let bytes?):
      "originals have reached their limit of \(size(bytes)), and no other original can give way"
    case .bounded(nil):
      "the disk has only the free space that it must keep, and no other original can give way"
    case .tooLarge(let bound): "it is larger than all originals may be together, \(size(bound))"
    case .noFreeRoom(let keepFree):
      "it has no room on the disk beside the \(size(keepFree)) that --keep-free leaves free"
    case .readOnly: "\(path) cannot be written: \(message)"
    case .busy: "another program has held \(path) for too long"
    case .databaseUnreachable, .objectsUnreachable: "\(path) cannot be reached: \(message)"
    case .objectsRefused(let status):
      "\(path) answers \(answer(status))"
        + (error.message.isEmpty ? "" : ", \(error.message)")
    case .objectsRefusedClock(let seconds):
      "\(path) refuses, because the clock of this machine is \(duration(.seconds(abs(seconds)))) "
        + "\(seconds > 0 ? "ahead of" : "behind") that of the store"
    case .noCredentials:
      "\(path) needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment"
    case .otherLibrary:
      "\(path) has \(error.message.isEmpty ? "no originals of this" : "the originals of another") library"
    case .ignoredConditions:
      "\(path) lets two libraries replace each other's note, and another library has begun there"
    case .otherObjects:
      "this library has originals in \(quoted(error.message)) alone, and not in \(path)"
    case .unfinishedCopy: "\(path) is a copy of another library, and not all of it yet"
    case .occupied: "\(path) is another library, with \(error.message)"
    case .backup: "\(path) is a backup, which only 'gallery backup' writes to"
    case .notBackup: "\(path) is a library, or a copy of one, and not a backup"
    case .backupGone(let date):
      """
      a backup of this library was made at \(path) on \(localTime(date)), and none is there now: is its disk \
      mounted?
      """
    case .removals(let lost, let total):
      losses(lost, of: total, "\(path) has")
        + ", because the library no longer has \(lost == 1 ? "it" : "them")"
    case .notEmpty: "\(path) has a library already, with \(error.message)"
    case .changedSince: "\(path) is a copy of this library, and has changed since it was made"
    case .unusableKey: "\(path) cannot be used: \(message)"
    case .tooManyWords(let limit): "more than \(count(limit, "word"))"
    case .nothingToSearch: "the search has no letter and no digit"
    case .trashElsewhere: "the trash of \(path) is on another file system"
    case .unusablePlace, .other: "\(path): \(message)"
    }
  }

  static func reason(_ error: ExportError) -> String {
    switch error {
    case .exists: "it exists"
    case .notAFile: "it is not a file"
    case .closed: "nothing reads it"
    case .damaged: reason(Damage.otherContent)
    case .unwritable(_, "No such file or directory"):
      "its folder does not exist; a name that ends in a slash is a folder, which is made"
    case .unwritable(_, let message), .unreadable(_, let message): clause(message)
    }
  }

  /// A status code, with its meaning if that is widely known (RFC 9110, section 15).
  private static func answer(_ status: Int) -> String {
    let meanings = [
      401: "authentication is needed", 403: "forbidden", 404: "not found", 410: "gone",
      429: "too many requests", 500: "an error of its own", 503: "not available now",
    ]
    return meanings[status].map { "\(status) (\($0))" } ?? "\(status)"
  }
}

// MARK: The network

extension Wording {
  /// The failure of a transfer, in the same words for all transfers that failed in the same way.
  static func reason(_ error: NetworkError) -> String {
    switch error.reason {
    case .cancelled: "interrupted"
    case .tooLarge(let limit): "larger than the limit of \(size(limit))"
    case .privateAddress:
      "\(clause(error.message)), which its feed may reach only once private addresses are allowed"
    case .forbiddenAddress: "\(clause(error.message)), which gallery never connects to"
    case .proxyLogin: loginOfProxy
    case .paused(let date): "\(pauseStart) \(localTime(date, rounded: .up))"
    case .tooSlow(let limit): "it took longer than \(duration(limit))"
    case .tooManyRedirects(let limit): "more than \(count(limit, "redirect"))"
    case .unreachable, .timedOut, .broken, .insecure, .untrusted, .refused, .unreadableFile, .other:
      error.cause.map(reason) ?? clause(error.message)
    }
  }

  private static let pauseStart = "the server asks to wait until"

  /// Whether two reasons are the same; pauses differ only in their ends.
  static func isSameReason(_ one: String, _ other: String) -> Bool {
    one == other || one.hasPrefix(pauseStart) && other.hasPrefix(pauseStart)
  }

  /// The pause of a feed's host; nil if the feed's own problem tells it.
  static func pause(_ pause: HostPause, of feed: Feed) -> String? {
    if feed.problem?.hasPrefix(pauseStart) == true { return nil }
    return "\(pause.host) asks to wait until \(localTime(pause.end, rounded: .up))"
  }

  /// The hosts that asked for a pause, each with its end and its cause.
  static func text(_ pauses: [HostPause], of feeds: [Feed]) -> String? {
    if pauses.isEmpty { return nil }
    return pauses.map { pause in
      "\(pause.host) until \(localTime(pause.end, rounded: .up)) (\(cause(of: pause, among: feeds)))"
    }.joined(separator: "; ")
  }

  /// The reason of a pause: the failure of the feed that caused it.
  ///
  /// The other feeds of the host fail because of the pause itself. The cause may also have been a picture.
  private static func cause(of pause: HostPause, among feeds: [Feed]) -> String {
    for feed in feeds where feed.status == .failed && feed.address.hostKey == pause.host {
      guard let problem = feed.problem, !problem.hasPrefix(pauseStart) else { continue }
      return "\(quoted(feed.address.masked)): \(problem)"
    }
    return "the server asked for it"
  }

  static let loginOfProxy = "the proxy wants a name and a password, or other ones (407)"

  static func reason(_ cause: NetworkError.Cause) -> String {
    switch cause {
    case .unknownHost: "the name of the server cannot be looked up"
    case .unknownProxy: "the name of the proxy cannot be looked up"
    case .connectionRefused: "the server refuses connections"
    case .noRoute: "no network leads to the server"
    case .unconnected: "cannot connect to the server"
    case .slowConnection: "cannot connect to the server in time"
    case .stalled: "the server is too slow, or has stopped sending"
    case .connectionReset: "the server has reset the connection"
    case .noAnswer: "the server has closed the connection without an answer"
    case .cutHeader: "the connection ended in the header"
    case .cutBody: "the connection ended before the whole response had arrived"
    case .cutStream: "the server has ended the HTTP/2 stream too early"
    case .connectionBroken: "the connection broke"
    case .notHTTP: "the server's answer is not valid HTTP"
    case .badChunks: "the server's answer has chunks that are not valid HTTP"
    case .badLength: "the server's answer gives a length that is not valid"
    case .badEncoding: "the content encoding of the server's answer is damaged"
    case .excessiveEncodings: "the server's answer is encoded too many times"
    case .handshake: "the server and this program cannot agree on TLS"
    case .noMemory: "not enough memory"
    case .unsupportedScheme: "it leads to an address that is neither https nor http"
    case .invalidAddress: "it leads to an address that is not valid"
    case .redirectsWithoutEnd: "too many redirects"
    case .other(let number): "the transfer failed (libcurl's error \(number))"
    default: "the server's certificate \(fault(of: cause))"
    }
  }

  private static func fault(of certificate: NetworkError.Cause) -> String {
    switch certificate {
    case .expiredCertificate: "has expired"
    case .earlyCertificate: "is not valid yet"
    case .revokedCertificate: "has been revoked"
    case .certificateOfOtherHost: "is for another host"
    case .selfSignedCertificate: "is not trusted: it is self-signed"
    case .unknownAuthority: "is not trusted: its issuer is unknown"
    default: "is not valid"
    }
  }
}
