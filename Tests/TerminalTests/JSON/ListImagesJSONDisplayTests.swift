import Models
import TestSupport
import Testing
import Workers

@testable import Scenes
@testable import Terminal

/// Records as scripts read them: from what the interactor tells to the bytes.
struct ListImagesJSONDisplayTests {
  private let screen = Screen()
  private let display: ListImagesJSONDisplay
  private var presenter: ListImagesJSONPresenter { ListImagesJSONPresenter(display: display) }

  init() { display = ListImagesJSONDisplay(console: screen.console()) }

  @Test func `writes an image a line`() {
    presenter.presentFetchedImages(response: .init(images: [.moon, .unnamed]))

    #expect(
      screen.output == """
        {"id":7,"title":"The moon over the bay","caption":"Seen from the pier.",\
        "author":"Ann Lee","published":"2026-11-02T08:00:00Z",\
        "feed":{"id":1,"title":"Astronomy"},\
        "thumbnail":{"url":"https://stars.example/moon-small.jpg","stored":true,"bytes":1234,\
        "type":"image/jpeg","width":320,"height":213,"damaged":false},\
        "originalStored":false,"originalDamaged":false,"gone":false,"failures":[]}
        {"id":8,"title":null,"caption":null,"author":null,"published":null,\
        "feed":{"id":2,"title":null},\
        "thumbnail":{"url":null,"stored":false,"bytes":null,"type":null,"width":null,\
        "height":null,"damaged":false},\
        "originalStored":false,"originalDamaged":false,"gone":false,"failures":[]}

        """
    )
  }

  @Test func `escapes controls that a terminal would obey`() {
    var image = WebImage.unnamed
    image.title = "\u{1B}[31m\u{9B}2J \u{202E}gpj\u{2069}"

    presenter.presentFetchedImages(response: .init(images: [image]))

    let title = #""title":"\u001b[31m\u009b2J \u202egpj\u2069","#
    #expect(screen.output.contains(title))
  }

  @Test func `says nothing of where an original is`() {
    var image = WebImage.moon.with(.stored)
    image.originalAddress = .at("https://MARKER.example/MARKER.jpg")

    presenter.presentFetchedImages(response: .init(images: [image]))

    #expect(screen.output.contains(#""originalStored":true"#))
    #expect(!screen.output.contains("MARKER"))
  }

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

  @Test func `writes what failed of an image, and of a feed before this sync`() {
    var image = WebImage.unnamed
    image.failures = [
      PictureFailure(
        kind: .madeThumbnail,
        reason: "no picture",
        tries: 3,
        failed: .novemberMorning,
        retry: .novemberMorning
      )
    ]
    var summary = FeedSyncSummary.astronomy
    summary.thumbnails.heldBack = [[FailureGroup].failing[0]]

    presenter.presentFetchedImages(response: .init(images: [image]))
    presenter.presentSyncedFeed(response: .init(summary: summary))

    let date = "2026-11-02T08:00:00Z"
    #expect(
      screen.output.contains(
        #""failures":[{"picture":"thumbnail","reason":"no picture","tries":3,"#
          + #""failed":"\#(date)","retry":"\#(date)"}]}"#
      )
    )
    #expect(
      screen.output.contains(
        #""failures":[{"picture":"thumbnail","count":41,"#
          + #""reason":"the server answered 404 (not found)","retry":"\#(date)"}],"#
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
          (authentication is needed) — what is stored stays as it is

          """
        ),
        .errors("interrupted — what came is stored, and the next sync goes on from here\n"),
      ]
    )
    #expect(display.outcome == .failed)
  }

  @Test func `tells why a request came to nothing`() {
    presenter.presentFailure(response: .init(failure: .noSuchImage(id: 9)))

    #expect(screen.output == "")
    #expect(
      screen.errors == "cannot show '9': no such image — 'gallery list' shows the ids\n"
    )
    #expect(display.outcome == .notFound)
  }

  @Test func `writes no notice among the records`() {
    display.displaySyncNotice(viewModel: .init(text: "1 feed is paused"))

    #expect(screen.output == "")
    #expect(screen.errors == "1 feed is paused\n")
  }
}
