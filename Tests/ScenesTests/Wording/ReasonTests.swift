import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

struct ReasonTests {
  @Test(arguments: [
    (Failure.status(401), "the server answered 401 (authentication is needed)"),
    (.status(407), "the proxy wants a name and a password, or other ones (407)"),
    (.status(404), "the server answered 404 (not found)"),
    (.status(418), "the server answered 418"),
    (.feed(.notAFeed(looksLike: "an HTML page")), "not a feed but an HTML page"),
    (
      .feed(.replaced(.feed, by: .page, offers: [])), "there is an HTML page in place of a feed"
    ),
    (
      .feed(.replaced(.manifest, by: .list, offers: [])),
      "there is plain JSON in place of a IIIF document"
    ),
    (.feed(.malformed(.noRoot)), "damaged beyond reading: no root element"),
    (.feed(.beyondLimit(of: "nesting", limit: 200)), "nesting beyond the limit of 200"),
    (
      .feed(.beyondBound(.images(1_000_000), stored: 7)),
      "more than 1,000,000 images in one sync of one feed"
    ),
    (
      .feed(.beyondBound(.storedBytes(256 << 20), stored: 7)),
      "more than 256 MiB for the library in one sync of one feed"
    ),
    (
      .feed(.listedBeyondBound(.storedBytes(2 << 30), unasked: 1)),
      """
      the feeds that lists name have taken more than 2.0 GiB for the library together in one sync, \
      and 1 feed of it was not asked for
      """
    ),
    (
      .feed(.listedBeyondBound(.seconds(28_800), unasked: 8_412)),
      """
      the feeds that lists name have taken more than 8 h 0 min of reading together in one sync, \
      and 8,412 feeds of it were not asked for
      """
    ),
    (
      .feed(.gallery(.removals(1_200, of: 3_400))),
      "1,200 of the 3,400 images that were mirrored would go"
    ),
    (.feed(.gallery(.removals(1, of: 1))), "1 of the 1 image that was mirrored would go"),
    (
      .flaw(.unreadableFiles(1, first: "a.jpg")),
      "1 file that cannot be read or is being written, such as 'a.jpg'"
    ),
    (
      .flaw(.unreadableFiles(2, first: "a.jpg")),
      "2 files that cannot be read or are being written, such as 'a.jpg'"
    ),
    (.flaw(.linksLeftOut(1, first: "b")), "1 link that leads out of it, such as 'b'"),
    (.flaw(.notPictures(1, first: "c.jpg")), "1 file without a picture in it, such as 'c.jpg'"),
    (
      .feed(.otherFolder(than: .at("file:///a/"), found: 0, of: 6)),
      "none of the 6 pictures of 'file:///a/' is in it"
    ),
    (
      .feed(.otherFolder(than: .at("file:///a/"), found: 2, of: 1_200)),
      "only 2 of the 1,200 pictures of 'file:///a/' are in it"
    ),
    (
      .feed(.gallery(.replaced(images: 1))),
      "another library is at this address, and the 1 image of the mirrored one would go"
    ),
    (
      .feed(.gallery(.mirroredFrom(Feed.astronomy.address))),
      "it says that it is the gallery that is mirrored from 'https://stars.example/feed.xml'"
    ),
    (
      .feed(.gallery(.wrongSignature)), "the gallery's signature does not match its answer"
    ),
    (
      .store(StoreError(reason: .unusableKey, path: "library.key", message: "it is missing")),
      "'library.key' cannot be used: it is missing"
    ),
    (.notAPicture(looksLike: "an HTML page"), "the data is not a picture but an HTML page"),
    (.cutPicture(.jpeg), "the JPEG picture ends too early"),
    (.cutPicture(.webP), "the WebP picture ends too early"),
    (.flaw(.malformedMarkup), "markup that is not well-formed"),
    (
      .gone,
      "the server says that it is gone (410), and gallery asks it again only when you name it"
    ),
    (
      .addressTaken(Feed.secret.address),
      """
      it has moved permanently to 'https://***@team.example/shots.json?token=***', which is another \
      feed's address
      """
    ),
    (.locked(by: nil), "another process is syncing it"),
    (
      .locked(by: LockHolder(process: 4_711, since: .novemberMorning)),
      "process 4711 has been syncing it since \(Wording.localTime(.novemberMorning))"
    ),
    (.offline, "the original is not stored, and this command may not use the network"),
    (.interrupted, "interrupted"),
    (.overBudget, "it would take more than the budget of this run"),
  ])
  func `tells why something cannot be had`(_ failure: Failure, _ reason: String) {
    #expect(Wording.reason(failure) == reason)
  }

  @Test(arguments: [
    (NetworkError.Reason.cancelled, "interrupted"),
    (.tooLarge(limit: 8 << 20), "larger than the limit of 8.0 MiB"),
    (.tooManyRedirects(limit: 10), "more than 10 redirects"),
    (.proxyLogin, "the proxy wants a name and a password, or other ones (407)"),
    (.refused, "not the address of a file"),
    (.unreadableFile, "not the address of a file"),
  ])
  func `tells a transfer's failure`(_ networkReason: NetworkError.Reason, _ reason: String) {
    let error = NetworkError(
      reason: networkReason,
      address: Feed.astronomy.address,
      message: "Not the address of a file"
    )

    #expect(Wording.reason(.network(error)) == reason)
  }

  @Test(arguments: [
    (NetworkError.Cause.unknownHost, "the name of the server cannot be looked up"),
    (.connectionRefused, "the server refuses connections"),
    (.slowConnection, "cannot connect to the server in time"),
    (.stalled, "the server is too slow, or has stopped sending"),
    (.cutBody, "the connection ended before the whole response had arrived"),
    (.expiredCertificate, "the server's certificate has expired"),
    (.selfSignedCertificate, "the server's certificate is not trusted: it is self-signed"),
    (.badCertificate, "the server's certificate is not valid"),
    (.other(27), "the transfer failed (libcurl's error 27)"),
  ])
  func `tells what libcurl reports in its own words`(_ cause: NetworkError.Cause, _ reason: String)
  {
    let failure = Failure.network(
      NetworkError(
        reason: .unreachable,
        address: Feed.astronomy.address,
        cause: cause,
        message: "Failed to connect to stars.example port 80 after 3 ms: Couldn't connect to server"
      )
    )

    #expect(Wording.reason(failure) == reason)
    #expect(failure.libraryWords?.contains("after 3 ms") == true)
  }

  @Test(arguments: [
    (StoreError.Reason.noLibrary, "there is no library at '/library' yet"),
    (
      .lostDatabase(LibraryRemains(folder: "/library", originals: 1_200)),
      "the database of '/library' is missing or empty, but its folder has 1,200 originals"
    ),
    (
      .lostDatabase(LibraryRemains(folder: "/files", originals: 1, packs: 1)),
      "there is no library in '/library', but '/files' has 1 original and thumbnails"
    ),
    (
      .lostDatabase(
        LibraryRemains(folder: "/library", packs: 2, hasKey: true, backups: ["/b", "/c"])
      ),
      """
      the database of '/library' is missing or empty, but its folder has 2 packs of thumbnails, a key pair and \
      a note of a backup at '/b'
      """
    ),
    (.newer, "'/library' was made by a later version of gallery: it is odd"),
    (.foreign, "'/library' is not a library of gallery: it is odd"),
    (.otherFiles, "'/library' has other files, such as 'it is odd'"),
    (.unreadable, "'/library' is damaged, or is not a library: it is odd"),
    (.unsound, "'/library' is damaged: it is odd"),
    (.forbidden, "'/library' cannot be read: it is odd"),
    (.unfinishedLog, "'/library' has changes that can be read only where it can be written"),
    (.full, "no space is left for '/library'"),
    (
      .reserved(bytes: 1 << 30),
      "no space is left for '/library' but the 1.0 GiB that a sync leaves free"
    ),
    (.readOnly, "'/library' cannot be written: it is odd"),
    (.busy, "another program has held '/library' for too long"),
    (.other, "'/library': it is odd"),
  ])
  func `tells the library's failure`(_ storeReason: StoreError.Reason, _ reason: String) {
    let error = StoreError(reason: storeReason, path: "/library", message: "it is odd")

    #expect(Wording.reason(.store(error)) == reason)
  }

  @Test(
    arguments: [
      .otherFolder(than: .at("file:///a/"), found: 0, of: 6),
      .gallery(.removals(5, of: 5, takingOver: .at("file:///a/"))),
    ] as [FeedError]
  )
  func `a take-over that finds too little says what does it all the same`(_ error: FeedError) {
    let problem = SyncProblem(subject: .feed, address: .at("file:///b/"), failure: .feed(error))
    let hint = Hint.takeOverAnyway(former: "file:///a/", address: "file:///b/")
    let reason = Wording.reason(problem.failure)

    #expect(
      Wording.message(SyncFeeds.Problem.Response(problem: problem))
        == "cannot sync 'file:///b/': \(reason) — stored data stays as it is; \(hint)"
    )
  }

  @Test(arguments: [
    ("Permission denied", "permission denied"), ("TLS alert. ", "TLS alert"),
    ("I/O error", "I/O error"), ("line 3: no end", "line 3: no end"), ("", ""), ("X.", "X"),
    ("Ünknown", "ünknown"),
  ])
  func `makes another author's sentence part of its own`(_ sentence: String, _ clause: String) {
    #expect(Wording.clause(sentence) == clause)
  }

  @Test(arguments: [
    (Failure.store(StoreError(reason: .busy, path: "/home", message: "/home")), "held the library"),
    (.store(StoreError(reason: .reserved(bytes: 9), path: "/home", message: "")), "no space"),
    (.store(StoreError(reason: .other, path: "/home", message: "/home")), "the library failed"),
    (.imaging(.noDecoder(lookedAt: ["/home/bin"])), "there is no decoder"),
    (.imaging(.unreadable(path: "/home/a.jpg", message: "")), "cannot be read"),
  ])
  func `stores a failure of the library without the files of this machine`(
    _ failure: Failure,
    _ part: String
  ) {
    #expect(Wording.storedReason(failure).contains(part))
    #expect(Wording.reason(failure).contains("/home"))
    #expect(!Wording.storedReason(failure).contains("/home"))
  }

  @Test(arguments: [
    Failure.status(404), .store(StoreError(reason: .tooLarge(bound: 9), path: "/", message: "")),
    .imaging(.tooMuchWork(seconds: 10)),
  ])
  func `stores any other reason as it is told`(_ failure: Failure) {
    #expect(Wording.storedReason(failure) == Wording.reason(failure))
  }
}
