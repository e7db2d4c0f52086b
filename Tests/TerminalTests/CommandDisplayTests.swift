import Testing

@testable import Scenes
@testable import Terminal

struct CommandDisplayTests {
  private let screen = Screen()

  @Test(arguments: [
    ([], nil), ([Outcome.done], Outcome.done), ([.done, .done], .done),
    ([.done, .notFound, .done], .partly), ([.notFound, .done], .partly),
    ([.unavailable, .unavailable], .unavailable), ([.notFound, .unavailable], .notFound),
  ])
  func `notes what all requests come to together`(_ outcomes: [Outcome], _ together: Outcome?) {
    let display = RunTextDisplay(console: screen.console())

    for outcome in outcomes { display.note(outcome) }

    #expect(display.outcome == together)
  }

  @Test func `says why a request came to nothing where results do not go`() {
    let display = RunTextDisplay(console: screen.console(isQuiet: true))

    display.displayFailure(
      viewModel: .init(message: "cannot show '9': no such image", outcome: .notFound)
    )

    #expect(screen.events == [.errors("cannot show '9': no such image\n")])
    #expect(display.outcome == .notFound)
  }
}

struct HintTests {
  @Test(arguments: [
    (Hint.followFeed, "'gallery sync <feed-url>' follows one"),
    (.beginLibrary, "'gallery sync <feed-url>' begins"),
    (.getImages, "'gallery sync <feed-url>' gets some"),
    (
      .followOffered(addresses: ["http://a.b/f", "http://a.b/g"]),
      "'gallery sync http://a.b/f' or 'gallery sync http://a.b/g' follows a feed that the page names"
    ),
    (
      .followOffered(addresses: ["http://a.b/?a=1&b=$(rm)"]),
      "\"gallery sync 'http://a.b/?a=1&b=$(rm)'\" follows the feed that the page names"
    ),
    (.listImages, "'gallery list' shows the ids"),
    (.listFeeds, "'gallery feeds' lists the ones that are"),
    (.explainFailures, "'gallery feeds' tells more"),
    (
      .mendBackup(place: "/mnt/usb"),
      "'gallery backup --verify /mnt/usb' copies what is damaged again, from its library"
    ),
    (
      .mendBackup(place: "/mnt/my disk"),
      "\"gallery backup --verify '/mnt/my disk'\" copies what is damaged again, from its library"
    ),
    (.beginBackupAnew, "--new begins another backup there"),
    (
      .restoreBackup(place: "/mnt/usb"),
      "'gallery --cache FOLDER restore /mnt/usb' makes a library from it in a new folder"
    ),
    (
      .recoverLibrary(folder: "/home/ann/my photos"),
      """
      "gallery --cache '/home/ann/my photos' recover NEW" makes a new library of all \
      that can be read
      """
    ),
    (
      .recoverLibrary(folder: "/home/ann"),
      "'gallery --cache /home/ann recover NEW' makes a new library of all that can be read"
    ),
    (
      .recoverLibrary(folder: nil),
      """
      in 'gallery --cache DAMAGED recover NEW', --cache names the damaged library, and NEW the \
      folder of the new one
      """
    ),
    (
      .quoteCamera(search: #"camera:"PENTAX K-7""#),
      #"a name of several words stands in quotation marks: --search 'camera:"PENTAX K-7"'"#
    ),
    (.removeFeed(address: "a.b"), "'gallery remove a.b' stops following it"),
    (
      .removeFeed(address: "file:///a/it's (1)"),
      "\"gallery remove 'file:///a/it'\\''s (1)'\" stops following it"
    ),
    (
      .removeEither(added: "4", other: "1"),
      "'gallery remove 4' stops following the new one, 'gallery remove 1' the other"
    ),
    (.removeFeed(address: nil), "'gallery remove <feed>' stops following it"),
    (
      .readAddresses(file: "-"), "'gallery sync --input -' reads a list of addresses"
    ),
    (
      .followFolder(path: "/a/my pictures"),
      "\"gallery sync '/a/my pictures'\" follows the pictures of its folder"
    ),
    (
      .renewLogin,
      """
      a sync of the same address with another login (https://USER:PASSWORD@…) replaces it; if it is a gallery, \
      'gallery token list' there shows whether the token is still valid, and 'gallery token add NAME' makes another
      """
    ),
    (
      .explainFeed(address: "https://a.b/?q=1&r=2"),
      "\"gallery sync --explain 'https://a.b/?q=1&r=2'\" shows what its entries name"
    ),
    (.explainFeed(address: nil), "'gallery sync' with --explain shows what its entries name"),
    (
      .followPage(address: "https://a.b/x?y"),
      """
      "gallery sync --page 'https://a.b/x?y'" follows its own pictures, and for a site with rules of its own, \
      "gallery-dl -j 'https://a.b/x?y' | gallery sync -" those that gallery-dl finds
      """
    ),
    (
      .followPage(address: nil),
      """
      the same sync with --page follows its own pictures, and for a site with rules of its own, \
      'gallery-dl -j PAGE | gallery sync -' those that gallery-dl finds
      """
    ),
    (
      .askByOtherScheme("https", address: "https://a.b/x"),
      "'gallery sync https://a.b/x' asks with TLS"
    ),
    (.askByOtherScheme("http", address: nil), "the same address with http:// asks without TLS"),
    (
      .moveFolder(former: "file:///a/my pictures/"),
      """
      if it has another name now, "gallery sync NEW --take-over 'file:///a/my pictures/'" goes on \
      with its images
      """
    ),
    (
      .moveFolder(former: nil),
      """
      if it has another name now, a sync of its new name with --take-over goes on with its images
      """
    ),
    (.rebuildIndexes, "'gallery verify --repair' builds damaged indexes again"),
    (.removeStrays(count: 2), "'gallery clean' removes them"),
    (
      .takeBackOriginals(count: 1),
      "after a sync of the feeds, 'gallery verify --repair' takes it back for images that are here again"
    ),
    (.chooseLibrary, "--cache names another folder"), (.replaceFile, "--force replaces it"),
    (.retryNow, "or with --retry-failed"),
    (.syncAgain(.init(time: .next, isOriginal: false)), "the next sync tries again"),
    (
      .syncAgain(.init(time: .later, isOriginal: true)),
      "a later sync with --originals tries again"
    ),
    (
      .syncAgain(.init(time: .someDaysLater, isOriginal: false)),
      "a sync some days later tries again, one with --retry-failed at once"
    ),
    (.allowPrivate, "a sync of the feed with --allow-private tries again"),
    (
      .acceptRemovals(address: "a.b"),
      "'gallery sync a.b --accept-removals' removes them here, too"
    ),
    (
      .acceptRemovals(address: "http://a.b/search?q=sea&feed=2"),
      "\"gallery sync 'http://a.b/search?q=sea&feed=2' --accept-removals\" removes them here, too"
    ),
    (
      .acceptRemovals(address: nil),
      "the same sync with --accept-removals removes them here, too"
    ),
    (
      .takeOver(former: "a.b", address: "c.d"),
      "'gallery sync c.d --take-over a.b' goes on with that copy"
    ),
    (
      .takeOver(former: "http://a.b/search?q=sea", address: "c.d"),
      "\"gallery sync c.d --take-over 'http://a.b/search?q=sea'\" goes on with that copy"
    ),
    (
      .takeOver(former: "3", address: nil),
      "the same sync with --take-over 3 goes on with that copy"
    ),
    (
      .takeOver(former: nil, address: nil),
      "the same sync with --take-over FORMER goes on with that copy"
    ),
    (
      .takeOverAnyway(former: "a.b", address: "c.d"),
      "'gallery sync c.d --take-over a.b --accept-removals' does it all the same"
    ),
    (
      .takeOverAnyway(former: "file:///a b/", address: "file:///c (d)/"),
      """
      "gallery sync 'file:///c (d)/' --take-over 'file:///a b/' --accept-removals" does it all the same
      """
    ),
    (
      .takeOverAnyway(former: "2", address: nil),
      "the same sync with --take-over 2 --accept-removals does it all the same"
    ),
    (
      .explainFolder(address: "file:///my pics/"),
      "\"gallery sync --explain 'file:///my pics/'\" names each"
    ),
    (.readFromPipe, "'gallery sync -' reads another document into it"),
    (.askPausedFeed(isOne: true), "'gallery sync <feed>' asks it again"),
    (.askPausedFeed(isOne: false), "'gallery sync <feed>' asks one again"),
  ])
  func `names the command or the option, as a shell takes it`(_ hint: Hint, _ words: String) {
    #expect(hint.commandLine == words)
    let text: HintedText = "not now — \(hint)"
    #expect(text.commandLine == "not now — \(words)")
  }

  @Test(arguments: [
    (
      Hint.run(command: "remove 3 --purge"), "lib7",
      "'gallery --cache lib7 remove 3 --purge'"
    ),
    (
      .acceptRemovals(address: "1"), "my lib",
      "\"gallery --cache 'my lib' sync 1 --accept-removals\" removes them here, too"
    ),
    (
      .takeOver(former: "file:///a b/", address: "c.d"), "lib7",
      "\"gallery --cache lib7 sync c.d --take-over 'file:///a b/'\" goes on with that copy"
    ),
    (.repairPictures, "l", "'gallery --cache l verify --repair' repairs what can be fetched again"),
    (.removeStrays(count: 1), "it's", #""gallery --cache 'it'\''s' clean" removes it"#),
    (
      .takeNewer(imageID: 4), "l",
      "'gallery --cache l show --newer 4' shows it, 'gallery --cache l take-newer 4' accepts it"
    ),
    (.listFeeds, "$(touch x)", "\"gallery --cache '$(touch x)' feeds\" lists the ones that are"),
    (
      .listFeeds, "postgresql://ann@db.example/gallery",
      "'gallery --cache postgresql://ann@db.example/gallery feeds' lists the ones that are"
    ),
    // These commands name another library, or need none.
    (
      .readFolders(library: "my new"), "l",
      "\"gallery --cache 'my new' sync\" reads them again"
    ),
    (
      .recoverLibrary(folder: "/a"), "l",
      "'gallery --cache /a recover NEW' makes a new library of all that can be read"
    ),
    (
      .restoreBackup(place: "/a"), "l",
      "'gallery --cache FOLDER restore /a' makes a library from it in a new folder"
    ),
    (
      .mendBackup(place: "/a"), "/a",
      "'gallery backup --verify /a' copies what is damaged again, from its library"
    ),
    (
      .followPage(address: nil), "my lib",
      """
      the same sync with --page follows its own pictures, and for a site with rules of its own, \
      "gallery-dl -j PAGE | gallery --cache 'my lib' sync -" those that gallery-dl finds
      """
    ),
    (.keepAuthorities, "l", "for later ones, 'gallery config edit' takes these lines:"),
  ])
  func `names the library that was typed`(_ hint: Hint, _ library: String, _ words: String) {
    // A stranger's title looks like a command, and stays as it is.
    let text: HintedText = "\("the title 'gallery list'") — \(hint)"
    let plain = text.commandLine

    SuggestedCommand.$library.withValue(library) {
      #expect(hint.commandLine == words)
      #expect(text.commandLine == "the title 'gallery list' — \(words)")
    }
    #expect(text.commandLine == plain)
  }

  @Test(arguments: [
    "photos", "my photos", "it's", #"the "best""#, #"it's "so""#, "a`b$c\\d", "夜 空",
  ])
  func `a shell understands what stands between the marks around a command`(path: String) throws {
    let words = Hint.readAddresses(file: path).commandLine
    let mark = try #require(words.first)
    let end = try #require(words.lastIndex(of: mark))
    let command = words[words.index(after: words.startIndex)..<end]

    #expect(mark == (path == "photos" ? "'" : "\""))
    #expect(words[end...].dropFirst() == " reads a list of addresses")
    #expect(command == "gallery sync --input \(ShellWord.quoted(path))")
  }

  @Test(
    arguments: [
      (
        .getImages,
        "this is a backup, which 'gallery backup saved' brings up to date from its library"
      ),
      (
        .removeFeed(address: "https://a.example/"),
        "this is a backup, which 'gallery backup saved' brings up to date from its library"
      ),
      (
        .repairPictures,
        "'gallery backup --verify saved' copies what is damaged again, from its library"
      ),
      (
        .rebuildIndexes,
        "'gallery backup --verify saved' copies what is damaged again, from its library"
      ),
      (.run(command: "remove 1 --purge"), "on its library, 'gallery remove 1 --purge'"),
      (.run(command: "verify --repair"), "on its library, 'gallery verify --repair'"),
      (.run(command: "clean"), "'gallery --cache saved clean'"),
      (.listImages, "'gallery --cache saved list' shows the ids"),
    ] as [(Hint, String)]
  )
  func `suggests of a backup only what it allows`(hint: Hint, words: String) {
    SuggestedCommand.$library.withValue("saved") {
      let plain = hint.commandLine
      for (isBackup, expected) in [(true, words), (false, plain)] {
        SuggestedCommand.$backupQuestion.withValue(.init { isBackup }) {
          #expect(hint.commandLine == expected)
        }
      }
    }
  }

  @Test func `names each way to log in, also that of a gallery`() {
    let words = Hint.logIn.commandLine

    for way in ["~/.netrc", "USER:PASSWORD@", "headers-file", "cookies-file", "?token=TOKEN"] {
      #expect(words.contains(way))
    }
  }
}
