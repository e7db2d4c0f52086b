import Models
import TestSupport
import Testing
import Workers

@testable import Scenes
@testable import Terminal

/// Records as scripts read them: from the interactor's responses to the bytes.
struct SyncFeedsJSONDisplayTests {
  private let screen = Screen()
  private let display: RecordDisplay
  private var presenter: SyncFeedsJSONPresenter { SyncFeedsJSONPresenter(display: display) }

  init() { display = RecordDisplay(console: screen.console()) }

  @Test func `writes a feed that was synced a line`() {
    presenter.presentSyncedFeed(response: .init(summary: .astronomy))
    presenter.presentSyncedFeed(response: .init(summary: .secret))

    #expect(
      screen.output == """
        {"feed":{"id":1,"url":"https://stars.example/feed.xml","title":"Astronomy",\
        "format":"mediarss"},"status":"updated",\
        "images":{"total":120,"new":12,"changed":3,"gone":0},\
        "thumbnails":{"stored":15,"failed":0,"waiting":0},\
        "originals":{"stored":0,"failed":0,"waiting":0},\
        "bytes":123456,"seconds":0.42,"dryRun":false,"problems":[],"failures":[],"newIDs":[],"list":null}
        {"feed":{"id":null,"url":"https://***@team.example/shots.json?token=***","title":null,\
        "format":null},"status":"failed",\
        "images":{"total":0,"new":0,"changed":0,"gone":0},\
        "thumbnails":{"stored":0,"failed":0,"waiting":0},\
        "originals":{"stored":0,"failed":0,"waiting":0},\
        "bytes":0,"seconds":0.0,"dryRun":false,\
        "problems":[{"url":"https://***@team.example/shots.json?token=***",\
        "reason":"the server answered 401 (authentication is needed)","severity":"failure","detail":null}],\
        "failures":[],"newIDs":[],"list":null}

        """
    )
  }

  @Test func `writes what failed of a feed before this sync`() {
    var summary = FeedSyncSummary.astronomy
    summary.thumbnails.heldBack = [[FailureGroup].failing[0]]
    summary.newIDs = [1...3, 5...5]

    presenter.presentSyncedFeed(response: .init(summary: summary))

    #expect(
      screen.output.contains(
        #""failures":[{"picture":"thumbnail","count":41,"#
          + #""reason":"the server answered 404 (not found)","retry":"2026-11-02T08:00:00Z"}],"#
          + #""newIDs":[[1,3],[5,5]],"#
      )
    )
  }

  @Test func `keeps what is for people out of the output`() {
    presenter.presentSyncProblem(response: .init(problem: .notAllowed))
    presenter.presentEndedSync(response: .init(outcome: .failed, isInterrupted: true))

    #expect(
      screen.events == [
        .errors(
          """
          cannot sync 'https://***@team.example/shots.json?token=***': the server answered 401 \
          (the login was refused) — stored data stays as it is; a sync of the same address with another \
          login (https://USER:PASSWORD@…) replaces it; if it is a gallery, 'gallery token list' there shows \
          whether the token is still valid, and 'gallery token add NAME' makes another

          """
        ),
        .errors(
          "interrupted — gallery has stored what arrived, and the next sync continues from here\n"
        ),
      ]
    )
    #expect(display.outcome == .failed)
  }

  @Test func `writes no notice among the records`() {
    display.displaySyncNotice(viewModel: .init(text: "1 feed is paused"))

    #expect(screen.output == "")
    #expect(screen.errors == "1 feed is paused\n")
  }
}
