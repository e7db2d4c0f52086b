import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

struct ListImagesPresenterTests {
  private let display = ListImagesDisplaySpy()
  private var presenter: ListImagesPresenter { ListImagesPresenter(display: display) }

  @Test func `presents images as finished text`() {
    presenter.presentFetchedImages(response: .init(images: [.moon, .unnamed.with(.stored)]))

    let displayed = [
      DisplayedImage.moon,
      DisplayedImage(
        id: 8,
        published: "",
        day: "2026-11-02",
        feed: "https://***@team.example/shots.json?token=***",
        title: "",
        originalMark: "original"
      ),
    ]
    #expect(display.events == [.fetchedImages(.init(displayedImages: displayed))])
  }

  @Test func `marks an original that its feed has replaced as stored`() {
    presenter.presentFetchedImages(response: .init(images: [.moon.with(.stale)]))

    var displayed = DisplayedImage.moon
    displayed.originalMark = "original"
    #expect(display.events == [.fetchedImages(.init(displayedImages: [displayed]))])
  }

  @Test func `presents thumbnails with the words under them`() throws {
    presenter.presentFetchedImages(
      response: .init(images: [.moon, .unnamed], thumbnails: [.plain(), nil])
    )

    guard case .fetchedImages(let viewModel) = display.events.first else {
      Issue.record("nothing was displayed")
      return
    }
    #expect(viewModel.isGrid)
    #expect(viewModel.displayedImages.map(\.caption) == ["7 The moon over the bay", "8"])
    let picture = try #require(Picture(.plain()))
    #expect(viewModel.displayedImages.map(\.picture) == [picture, nil])
  }

  @Test func `tells why no picture is drawn`() {
    presenter.presentUndrawnImages(response: .init(reason: .cannotStart(message: "No memory")))

    let note =
      "cannot draw pictures: the decoder cannot be started: no memory — only text is shown"
    #expect(display.events == [.undrawnImages(.init(note: note))])
  }

  @Test func `tells where the next page begins`() {
    presenter.presentEndedFetch(response: .init(count: 20, nextOffset: 60))

    #expect(display.events == [.endedFetch(.init(note: nil, nextOffset: 60))])
  }

  @Test func `tells which pictures of the list failed, and where there is more about it`() {
    let end = ListImages.FetchImages.Ended.Response(count: 20, nextOffset: nil, failures: .failing)

    presenter.presentEndedFetch(response: end)

    let retry = Wording.localTime(.novemberMorning)
    let failures = [
      "41 thumbnails failed lately: the server answered 404 (not found)",
      "1 original failed lately: no answer",
    ].map {
      "\($0), tried again from \(retry) on, \(.retryNow) — \(.explainFailures)" as HintedText
    }
    #expect(display.events == [.endedFetch(.init(failures: failures))])
  }

  @Test func `tells that no image matches`() {
    presenter.presentEndedFetch(response: .init(count: 0, nextOffset: nil))

    #expect(display.events == [.endedFetch(.init(note: "no image matches"))])
  }

  @Test(arguments: [
    (1, "1 image matches, and the offset skips it"),
    (1_300, "1,300 images match, and the offset skips them all"),
  ])
  func `tells that the offset skips all images`(skipped: Int, note: String) {
    presenter.presentEndedFetch(response: .init(count: 0, nextOffset: nil, skipped: skipped))

    #expect(display.events == [.endedFetch(.init(note: "\(note)"))])
  }

  @Test func `tells how a search names a camera`() {
    let search = #"camera:"PENTAX K-7""#
    presenter.presentEndedFetch(response: .init(count: 0, nextOffset: nil, cameraSearch: search))

    let note: HintedText = "no image matches — \(.quoteCamera(search: search))"
    #expect(display.events == [.endedFetch(.init(note: note))])
  }

  @Test func `tells that there is no image to match`() {
    presenter.presentEndedFetch(
      response: .init(count: 0, nextOffset: nil, isLibraryEmpty: true)
    )

    let note: HintedText = "no image is stored yet — \(.getImages)"
    #expect(display.events == [.endedFetch(.init(note: note))])
  }

  @Test func `adds nothing to a list that says it all`() {
    presenter.presentEndedFetch(response: .init(count: 20, nextOffset: nil))

    #expect(display.events == [.endedFetch(.init(note: nil, nextOffset: nil))])
  }

  @Test func `presents why a request came to nothing`() {
    presenter.presentFailure(response: .init(failure: .noSuchImage(id: 99)))

    let message: HintedText = "cannot show '99': no such image — \(.listImages)"
    #expect(display.events == [.failure(.init(message: message, outcome: .notFound))])
  }
}

extension DisplayedImage {
  fileprivate static let moon = DisplayedImage(
    id: 7,
    published: "2026-11-02T08:00:00Z",
    day: "2026-11-02",
    feed: "Astronomy",
    title: "The moon over the bay",
    originalMark: ""
  )
}
