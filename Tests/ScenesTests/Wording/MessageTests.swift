import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

extension MistypedAddress {
  fileprivate static let secret: MistypedAddress = {
    guard case .mistyped(let address) = FeedArgument.named("https//ann:pass@a.b/c?token=abc") else {
      preconditionFailure("it is mistyped")
    }
    return address
  }()
}

struct HintlessTextTests {
  private static let texts: [(HintedText, String)] = [
    ("no such image", "no such image"),
    ("no such image — \(.listImages)", "no such image"),
    ("a: b — stored data stays; if it has moved, \(.listFeeds)", "a: b — stored data stays"),
    ("a: b — stored data stays, and \(.listFeeds)", "a: b — stored data stays"),
    ("a; b — \(.listFeeds), or \(.listImages)", "a; b"),
    ("\(.listFeeds)", ""),
  ]

  @Test(arguments: texts)
  func `a medium without words for hints ends a text before them`(
    _ example: (HintedText, String)
  ) {
    #expect(example.0.withoutHints == example.1)
  }
}

struct MessageTests {
  /// A name that is also the path of a folder.
  private static func folderName(_ text: String) -> FeedName {
    FeedName(text, relativeTo: "/home/ann", isFolder: { _ in true }, fileExists: { _ in true })
  }

  private static let failures: [(RequestFailure, HintedText)] = [
    (
      RequestFailure.noFeedKnown,
      "no feed is followed yet — \(.followFeed)"
    ),
    (.noSuchFeed(.id(9)), "no feed '9' is followed — \(.listFeeds)"),
    (
      .noSuchFeed(.address(Feed.secret.address)),
      "no feed 'https://***@team.example/shots.json?token=***' is followed — \(.listFeeds)"
    ),
    (
      .noSuchFeed(.unusable(.at("ftp://a.b/c"))),
      "no feed 'ftp://a.b/c' is followed — \(.listFeeds)"
    ),
    (.noSuchImage(id: 99), "cannot show '99': no such image — \(.listImages)"),
    (.noSuchImages(ids: 8...9), "cannot show '8-9': no image has such an id — \(.listImages)"),
    (
      .noSuchImages(ids: 8...9, .unpin),
      "cannot unpin '8-9': no image has such an id — \(.listImages)"
    ),
    (
      .unusableAddress(.at("ftp://ann:pass@a.b/c")),
      "cannot sync 'ftp://***@a.b/c': feeds are read by https or http, or from a file"
    ),
    (
      .mistypedAddress(.secret),
      """
      cannot sync 'https//…': an address begins with https:// or http:// — did you mean \
      'https://…'?
      """
    ),
    (
      .noSuchFeed(.mistyped(.secret)),
      """
      no feed 'https//…' is followed; did you mean 'https://…'? — \(.listFeeds)
      """
    ),
    (
      .notTakenOver(former: .at("file:///a/"), by: .at("https://a.b/"), .otherKind),
      """
      cannot take over 'file:///a/': only a gallery can take the place of a gallery, and only a folder that of a \
      folder — without --take-over, the new feed is followed beside the other one
      """
    ),
    (
      .notTakenOver(
        former: .at("file:///a/"),
        by: .at("file:///b/"),
        .taken(feedID: 9, isRemoved: false)
      ),
      """
      cannot take over 'file:///a/': 'file:///b/' is followed already, as feed 9 — after \(.run(command: "remove 9 --purge")), \
      which forgets what that feed has, the same command does it
      """
    ),
    (
      .notTakenOver(former: .at("file:///a/"), by: .at("file:///b"), .noFolder),
      "cannot take over 'file:///a/': 'file:///b' is not a folder on this disk — nothing was changed"
    ),
    (
      .ambiguousTitle([.astronomy, .astronomy]),
      """
      'Astronomy' is the title of 2 feeds — an id names one: 1 (https://stars.example/feed.xml), \
      1 (https://stars.example/feed.xml)
      """
    ),
    (
      .titleAndPath(folderName("Moon & sun"), [.astronomy]),
      """
      'Moon & sun' is the title of feed 1 and the path of a folder — \(.run(command: "sync 1")) syncs the feed, \
      \(.run(command: "sync './Moon & sun'")) the folder
      """
    ),
    (
      .titleAndPath(folderName("Moon"), [.astronomy, .secret]),
      """
      'Moon' is the title of 2 feeds and the path of a folder — \(.run(command: "sync ./Moon")) syncs the folder, \
      an id a feed: 1 (https://stars.example/feed.xml), 2 (https://***@team.example/shots.json?token=***)
      """
    ),
    (
      .titleAndPath(
        folderName("Moon"),
        [Feed(id: 7, address: .at("file:///home/ann/Moon/"), title: "Moon"), .astronomy]
      ),
      """
      'Moon' is the title of feed 1 and the path of feed 7 — an id names one: 7 (file:///home/ann/Moon/), \
      1 (https://stars.example/feed.xml)
      """
    ),
    (.noThumbnail(imageID: 7), "cannot show the thumbnail of '7': none is stored"),
    (
      .notTakenOver(
        former: .at("file:///a/"),
        by: .at("file:///b/"),
        .taken(feedID: 9, isRemoved: true)
      ),
      """
      cannot take over 'file:///a/': 'file:///b/' was followed before, and the library still has its images — after \
      \(.run(command: "clean")), which deletes them, the same command does it
      """
    ),
    (
      .library(StoreError(reason: .trashElsewhere, path: "originals/ab", message: ""), .clean),
      "cannot clean the library: the trash of 'originals/ab' is on another file system — \(.emptyTrash)"
    ),
  ]

  @Test(arguments: failures)
  func `tells why a request came to nothing`(_ failure: RequestFailure, _ message: HintedText) {
    #expect(Wording.message(failure) == message)
  }

  @Test(arguments: [
    (RequestFailure.Purpose.list, "cannot read the library: "),
    (.show, "cannot show the image: "), (.sync, "cannot sync the library: "),
    (.remove, "cannot remove the feed: "),
  ])
  func `tells what the library was wanted for`(_ purpose: RequestFailure.Purpose, _ verb: String) {
    let reason = """
      '/library/gallery.sqlite' is damaged, or is not a library: file is not a database — the pictures in \
      '/library/originals' are plain files, and 'recovery'
      """

    let message = Wording.message(.library(.damaged, purpose))
    #expect(
      message.text { $0 == .recoverLibrary(folder: "/library") ? "'recovery'" : "" } == verb
        + reason
    )
  }

  @Test(arguments: [RequestFailure.Purpose.list, .show, .sync, .verify, .serve])
  func `tells what helps when the database of a library is lost`(
    _ purpose: RequestFailure.Purpose
  ) {
    func message(_ remains: LibraryRemains) -> HintedText {
      let error = StoreError(reason: .lostDatabase(remains), path: "/library", message: "")
      let failure = RequestFailure.library(error, purpose)
      #expect(failure.outcome == .failed)
      return Wording.message(failure)
    }
    let rest = "a new library begins in another folder, or when these files have been moved away"

    let alone = message(LibraryRemains(folder: "/library", originals: 1))
    let backed = message(LibraryRemains(folder: "/library", originals: 1, backups: ["/b"]))
    let elsewhere = message(LibraryRemains(folder: "/files", originals: 1))

    let recover: HintedText = "\(.recoverLibrary(folder: "/library")); \(rest)"
    let start = " — nothing was changed; "
    #expect(alone.described.hasSuffix("\(start)\(recover.described)"))
    let both: HintedText = "\(.restoreBackup(place: "/b")); \(recover)"
    #expect(backed.described.hasSuffix("\(start)\(both.described)"))
    #expect(elsewhere.described.hasSuffix("\(start)\(rest)"))
  }

  @Test(arguments: [
    (StoreError.Reason.noLibrary, "there is no library at '/usual' yet — 'recovery'"),
    (.occupied, "'/usual' is another library, with 1 feed — it was not changed; 'recovery'"),
  ])
  func `says how to name both libraries of a recovery`(_ reason: StoreError.Reason, _ text: String)
  {
    let error = StoreError(reason: reason, path: "/usual", message: "1 feed")
    let message = Wording.message(.library(error, .recover))

    #expect(
      message.text { $0 == .recoverLibrary(folder: nil) ? "'recovery'" : "" }
        == "cannot recover the library: \(text)"
    )
  }

  @Test func `tells how to read what can be read only where it can be written`() {
    let error = StoreError(reason: .unfinishedLog, path: "/library/log", message: "")

    let message: HintedText = """
      cannot read the library: '/library/log' has changes that can be read only where it can be \
      written — a copy of the whole folder, in a place that can be written, can be read
      """
    #expect(Wording.message(.library(error, .list)) == message)
  }

  private static let libraryFailures: [(StoreError.Reason, RequestFailure.Purpose, HintedText)] = [
    (
      StoreError.Reason.newer, RequestFailure.Purpose.list,
      "and a gallery of that version can read it"
    ),
    (.foreign, .sync, "it was not changed; \(.chooseLibrary)"),
    (
      .otherFiles, .sync, "it was not changed; name an empty folder, or one that is not there yet"
    ),
    (.full, .sync, "stored data stays as it is"),
    (.busy, .show, "stored data stays as it is"),
    (.full, .remove, "run it again to continue where it stopped"),
    (.readOnly, .clean, "run it again to continue where it stopped"),
    (.unsound, .clean, "and \(.rebuildIndexes)"),
    (.unsound, .list, "and \(.rebuildIndexes)"),
    (.linked, .clean, "'/l' is a link to 'no' — nothing was deleted"),
    (
      .linked, .backup,
      "'/l' is a link to 'no' — nothing was written; remove the link, or choose another place"
    ),
    (
      .linked, .move,
      "'/l' is a link to 'no' — nothing was written; remove the link, or choose another place"
    ),
    (
      .linked, .restore,
      "'/l' is a link to 'no' — nothing was written; remove the link, or choose another place"
    ),
    (.forbidden, .list, "'/l' cannot be read: no"), (.other, .remove, "'/l': no"),
  ]

  @Test(arguments: libraryFailures)
  func `tells what a library's failure leaves`(
    _ reason: StoreError.Reason,
    _ purpose: RequestFailure.Purpose,
    _ rest: HintedText
  ) {
    let error = StoreError(reason: reason, path: "/l", message: "no")

    #expect(Wording.message(.library(error, purpose)).described.hasSuffix(rest.described))
  }

  private static let feedFailures: [(StoreError.Reason, HintedText)] = [
    (StoreError.Reason.foreign, "it was not changed; \(.chooseLibrary)"),
    (.readOnly, "stored data stays as it is"), (.other, "stored data stays as it is"),
  ]

  @Test(arguments: feedFailures)
  func `tells what a library's failure leaves of a feed`(
    _ reason: StoreError.Reason,
    _ rest: HintedText
  ) {
    let error = StoreError(reason: reason, path: "/l", message: "no")
    let problem = SyncProblem(
      subject: .feed,
      address: Feed.astronomy.address,
      failure: .store(error)
    )

    #expect(Wording.message(problem).described.hasSuffix(" — \(rest.described)"))
  }

  @Test(arguments: [RequestFailure.Purpose.list, .show, .sync, .remove])
  func `tells how a library begins when there is none`(_ purpose: RequestFailure.Purpose) {
    let message: HintedText = "nothing is stored at '/library' yet — \(.beginLibrary)"

    #expect(Wording.message(.library(.noLibrary, purpose)) == message)
  }

  private static let exportErrors: [(ExportError, HintedText)] = [
    (
      ExportError.exists(path: "a.jpg"),
      "cannot write 'a.jpg': it exists — \(.replaceFile)"
    ),
    (
      .unwritable(path: "/a.jpg", message: "Permission denied"),
      "cannot write '/a.jpg': permission denied"
    ),
    (
      .unwritable(path: "/a/b.jpg", message: "No such file or directory"),
      "cannot write '/a/b.jpg': its folder does not exist; a name that ends in a slash is a folder, which is made"
    ),
    (
      .unreadable(path: "/b.jpg", message: "No such file or directory"),
      "cannot read '/b.jpg': no such file or directory"
    ),
  ]

  @Test(arguments: exportErrors)
  func `tells why a copy cannot be written`(_ error: ExportError, _ message: HintedText) {
    #expect(Wording.message(.export(error)) == message)
  }

  private static let problems: [(SyncProblem.Subject, String, HintedText)] = [
    (SyncProblem.Subject.feed, "cannot sync", "stored data stays as it is"),
    (.document, "cannot read all of", "the rest was read"),
    (
      .thumbnail, "cannot fetch the thumbnail",
      "\(.syncAgain(.init(time: .someDaysLater, isOriginal: false)))"
    ),
    (
      .madeThumbnail, "cannot make a thumbnail of",
      "\(.syncAgain(.init(time: .someDaysLater, isOriginal: false)))"
    ),
    (
      .making, "cannot make the thumbnails that are missing of",
      "gallery has fetched what the feed names, and the next sync tries again"
    ),
    (
      .original, "cannot fetch the original",
      "\(.syncAgain(.init(time: .someDaysLater, isOriginal: true)))"
    ),
  ]

  @Test(arguments: problems)
  func `tells a problem of a sync and what still works`(
    _ subject: SyncProblem.Subject,
    _ verb: String,
    _ rest: HintedText
  ) {
    let problem = SyncProblem(
      subject: subject,
      address: Feed.secret.address,
      failure: .status(403)
    )
    let thing = "'https://***@team.example/shots.json?token=***'"
    let reason = "the server answered 403 (forbidden)"

    #expect(Wording.message(problem) == "\(verb) \(thing): \(reason) — \(rest)")
  }

  private static let lasting: [(SyncProblem.Subject, ImagingError, HintedText)] = [
    (
      .madeThumbnail, .undrawn(.jpeg, .twelveBits),
      "there is no thumbnail until a library of this machine draws such pictures"
    ),
    (
      .thumbnail, .unsupported(.jpegXL),
      "there is no thumbnail until a library of this machine draws such pictures"
    ),
    (.madeThumbnail, .tooManyPixels(width: 9, height: 9, limit: 1), "there is no thumbnail"),
    (
      .madeThumbnail, .undecodable(message: "cut"),
      "there is no thumbnail until the original changes"
    ),
    (
      .thumbnail, .undecodable(message: "cut"),
      "\(.syncAgain(.init(time: .someDaysLater, isOriginal: false)))"
    ),
  ]

  @Test(arguments: lasting)
  func `promises another try of a thumbnail only where it can help`(
    _ subject: SyncProblem.Subject,
    _ error: ImagingError,
    _ rest: HintedText
  ) {
    let problem = SyncProblem(
      subject: subject,
      address: Feed.astronomy.address,
      failure: .imaging(error)
    )

    let verb = subject == .thumbnail ? "cannot fetch the thumbnail" : "cannot make a thumbnail of"
    let thing = "'https://stars.example/feed.xml'"
    let reason: String = Wording.reason(.imaging(error))
    #expect(Wording.message(problem) == "\(verb) \(thing): \(reason) — \(rest)")
  }

  @Test func `warns of feeds of a list that are left out`() {
    let problem = SyncProblem(
      subject: .document,
      address: Feed.astronomy.address,
      failure: .flaw(.feedsLeftOut(2, first: "filter:a"))
    )

    let text: HintedText = """
      cannot read all of 'https://stars.example/feed.xml': 2 feeds of the list left out, such as \
      'filter:a' — the rest was read
      """
    #expect(Wording.message(problem) == text)
    #expect(problem.severity == .warning)
  }

  @Test(arguments: [
    (1, "1 file or folder", ""), (2, "2 files or folders", ""),
    (1_001, "1,001 files or folders", " and 1,000 more"),
  ])
  func `names the folders that a list must not name`(number: Int, files: String, more: String) {
    let folder = WebAddress(filePath: "/home/ann/Pictures/", relativeTo: "/")
    let first = number == 2 ? [folder, folder] : [folder]
    let problem = SyncProblem(
      subject: .document,
      address: Feed.astronomy.address,
      failure: .flaw(.filesLeftOut(number, first: first))
    )

    let names = first.map { _ in "'file:///home/ann/Pictures/'" }.joined(separator: ", ")
    let text: HintedText = """
      cannot read all of 'https://stars.example/feed.xml': \(files) of this disk left out, which \
      count only in a list on this disk, and folders only if the sync names that list: \
      \(names)\(more) — the rest was read
      """
    #expect(Wording.message(problem) == text)
    #expect(problem.severity == .warning)
  }

  @Test func `says of a blemish that nothing is lost`() {
    let problem = SyncProblem(
      subject: .document,
      address: Feed.astronomy.address,
      failure: .flaw(.undeclaredPrefix)
    )

    let text: HintedText = """
      'https://stars.example/feed.xml' has a prefix that no namespace is declared for — nothing of \
      it is lost
      """
    #expect(Wording.message(problem) == text)
    #expect(problem.severity == .blemish)
  }

  @Test(arguments: [
    (Failure.status(503), Hint.SyncAgain.Time.later), (.offline, .next),
    (.store(.noLibrary), .next),
  ])
  func `says which sync tries again, by how it failed`(
    _ failure: Failure,
    _ time: Hint.SyncAgain.Time
  ) {
    let problem = SyncProblem(subject: .thumbnail, address: Feed.secret.address, failure: failure)

    let hint: HintedText = "\(.syncAgain(.init(time: time, isOriginal: false)))"
    #expect(Wording.message(problem).described.hasSuffix(" — \(hint.described)"))
  }

  @Test(arguments: [
    (RequestFailure.noFeedKnown, Outcome.misused),
    (.unusableAddress(.at("ftp://a.b/c")), .misused), (.mistypedAddress(.secret), .misused),
    (.ambiguousTitle([.astronomy, .secret]), .misused),
    (.titleAndPath(folderName("Moon"), [.astronomy]), .misused),
    (.noSuchFeed(.id(9)), .notFound), (.noSuchImage(id: 9), .notFound),
    (.library(.noLibrary, .list), .done), (.library(.noLibrary, .show), .notFound),
    (.library(.noLibrary, .remove), .notFound), (.library(.noLibrary, .sync), .failed),
    (.library(.damaged, .list), .failed), (.export(.exists(path: "a")), .failed),
    (.noThumbnail(imageID: 7), .unavailable),
  ])
  func `comes to an outcome`(_ failure: RequestFailure, _ outcome: Outcome) {
    #expect(failure.outcome == outcome)
  }
}
