import Testing
import Workers

@testable import Scenes
@testable import Terminal

struct SyncFeedsTextDisplayTests {
  private let screen = Screen()

  @Test func `names the option that helps where a certificate is not trusted`() {
    display().displaySyncProblem(viewModel: .init(text: "cannot sync 'a'", isUntrusted: true))

    #expect(
      screen.errors == "cannot sync 'a'; --extra-ca FILE trusts the authorities of a file, too\n"
    )
  }

  @Test(arguments: [true, false])
  func `leaves out a problem that is known if the user asked for quiet`(isQuiet: Bool) {
    let display = SyncFeedsTextDisplay(console: screen.console(isQuiet: isQuiet))

    display.displaySyncProblem(viewModel: .init(text: "cannot sync 'a'", isKnown: true))
    display.displaySyncProblem(viewModel: .init(text: "cannot sync 'b'"))

    #expect(screen.errors == (isQuiet ? "" : "cannot sync 'a'\n") + "cannot sync 'b'\n")
  }

  @Test func `shows a sync as it goes`() {
    let console = screen.console(outputColumns: 80, errorColumns: 80)
    let display = SyncFeedsTextDisplay(console: console)

    let line = ProgressLine(fraction: 0.5, text: "1 of 2")

    display.displayProgress(viewModel: .init(line: line))
    display.displaySyncProblem(viewModel: .init(text: "cannot sync 'b'"))
    display.displaySyncedFeed(viewModel: .init(text: "updated 'a\u{7}': 2 images"))
    display.displayProgress(viewModel: .init(line: line))
    display.displayEndedSync(viewModel: .init(outcome: .partly, note: "interrupted"))

    let erase = "\r\u{1B}[K"
    let status = Screen.Event.errors(erase + "[########........] 1 of 2")
    #expect(
      screen.events == [
        status, .errors(erase), .errors("cannot sync 'b'\n"),
        .output("updated 'a\u{FFFD}': 2 images\n"), status, .errors(erase),
        .errors("interrupted\n"),
      ]
    )
    #expect(display.outcome == .partly)
  }

  @Test func `shows the reasons for images in columns, also when quiet`() {
    let display = SyncFeedsTextDisplay(console: screen.console(isQuiet: true))

    display.displayExplainedEntries(
      viewModel: .init(entries: [
        .init(
          title: "'Moon\u{7}': 1 image",
          rows: [
            .init(label: "original", address: "https://a.b/1", reason: "HTML"),
            .init(label: "thumbnail", address: "https://a.b/2", reason: "HTML"),
          ]
        )
      ])
    )

    #expect(
      screen.output == """
        'Moon\u{FFFD}': 1 image
          original   https://a.b/1 — HTML
          thumbnail  https://a.b/2 — HTML

        """
    )
  }

  @Test func `tells a blemish, and each of what failed alike, only to who wants to know all`() {
    let group = SyncFeeds.Problem.ViewModel(
      text: "cannot fetch 2 thumbnails",
      details: ["no sun", "no moon"],
      hint: .showDetails
    )
    for isVerbose in [false, true] {
      let display = SyncFeedsTextDisplay(console: screen.console(isVerbose: isVerbose))
      display.displaySyncProblem(viewModel: .init(text: "odd prefix", severity: .blemish))
      display.displaySyncProblem(viewModel: group)
    }

    #expect(
      screen.errors == """
        cannot fetch 2 thumbnails; --verbose lists them
        odd prefix
        cannot fetch 2 thumbnails
        no sun
        no moon

        """
    )
  }

  @Test func `writes the totals as the last result`() {
    let end = SyncFeeds.Ended.ViewModel(outcome: .done, totals: "2 feeds", note: nil)

    display().displayEndedSync(viewModel: end)
    display(isQuiet: true).displayEndedSync(viewModel: end)

    #expect(screen.events == [.output("2 feeds\n")])
  }

  @Test func `tells failures only when it is to be quiet`() {
    let display = display(isQuiet: true)
    display.displaySyncProblem(viewModel: .init(text: "cut off", severity: .warning))

    display.displayProgress(
      viewModel: .init(line: ProgressLine(fraction: nil, text: "reading"))
    )
    display.displaySyncProblem(viewModel: .init(text: "cannot sync 'b'"))
    display.displaySyncedFeed(viewModel: .init(text: "updated 'a': 2 images"))
    display.displayEndedSync(viewModel: .init(outcome: .partly, note: nil))

    #expect(screen.events == [.errors("cannot sync 'b'\n")])
    #expect(display.outcome == .partly)
  }

  @Test(arguments: [(false, "1 feed is paused\n"), (true, "")])
  func `notes a notice, unless quiet was asked for`(isQuiet: Bool, text: String) {
    display(isQuiet: isQuiet).displaySyncNotice(viewModel: .init(text: "1 feed is paused"))

    #expect(screen.output == "")
    #expect(screen.errors == text)
  }

  @Test func `writes out the settings that name certificate authorities`() {
    let display = display()
    display.displaySyncNotice(
      viewModel: .init(text: "for this sync", authorities: "/a \"b\".pem", feeds: ["https://a.b/c"])
    )
    display.displaySyncNotice(viewModel: .init(text: "for all", authorities: "/a.pem"))

    #expect(
      screen.errors == """
        for this sync
        [feed."https://a.b/c"]
        extra-ca = "/a \\"b\\".pem"
        for all
        extra-ca = "/a.pem"

        """
    )
  }

  @Test func `tells the end of a failure even when quiet was asked for`() {
    display(isQuiet: true).displaySyncNotice(
      viewModel: .init(text: "'Moon' answers again", endsFailure: true)
    )

    #expect(screen.errors == "'Moon' answers again\n")
  }

  private func display(isQuiet: Bool = false) -> SyncFeedsTextDisplay {
    SyncFeedsTextDisplay(console: screen.console(isQuiet: isQuiet))
  }
}
