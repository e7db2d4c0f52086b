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
      "gallery sync 'http://a.b/?a=1&b=$(rm)' follows the feed that the page names"
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
      "gallery backup --verify '/mnt/my disk' copies what is damaged again, from its library"
    ),
    (.beginBackupAnew, "--new begins another backup there"),
    (
      .restoreBackup(place: "/mnt/usb"),
      "'gallery --cache FOLDER restore /mnt/usb' makes a library from it in a new folder"
    ),
    (.removeFeed(address: "a.b"), "'gallery remove a.b' stops following it"),
    (.rebuildIndexes, "'gallery verify --repair' builds damaged indexes again"),
    (.removeStrays(count: 2), "'gallery clean' removes them"),
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
      .takeOver(former: "a.b", address: "c.d"),
      "'gallery sync c.d --take-over a.b' goes on with that copy"
    ),
    (
      .takeOverAnyway(former: "a.b", address: "c.d"),
      "'gallery sync c.d --take-over a.b --accept-removals' does it all the same"
    ),
    (.readFromPipe, "'gallery sync -' reads another document into it"),
    (.askPausedFeed(isOne: true), "'gallery sync <feed>' asks it again"),
    (.askPausedFeed(isOne: false), "'gallery sync <feed>' asks one again"),
  ])
  func `names the command or the option`(_ hint: Hint, _ words: String) {
    #expect(hint.commandLine == words)
    let text: HintedText = "not now — \(hint)"
    #expect(text.commandLine == "not now — \(words)")
  }
}
