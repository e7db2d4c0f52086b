import Models
import TestSupport
import Testing
import Workers

@testable import Scenes
@testable import Terminal

/// Records as scripts read them: from the interactor's responses to the bytes.
struct ListImagesJSONDisplayTests {
  private let screen = Screen()
  private let display: RecordDisplay
  private var presenter: ListImagesJSONPresenter { ListImagesJSONPresenter(display: display) }

  init() { display = RecordDisplay(console: screen.console()) }

  @Test func `writes an image a line`() {
    presenter.presentFetchedImages(response: .init(images: [.moon, .unnamed]))

    #expect(
      screen.output == """
        {"id":7,"title":"The moon over the bay","caption":"Seen from the pier.",\
        "author":"Ann Lee","published":"2026-11-02T08:00:00Z",\
        "feed":{"id":1,"title":"Astronomy"},\
        "thumbnail":{"url":"https://stars.example/moon-small.jpg","stored":true,"bytes":1234,\
        "type":"image/jpeg","width":320,"height":213,"sha256":null,"damaged":false},\
        "originalStored":false,"originalDamaged":false,"gone":false,"failures":[]}
        {"id":8,"title":null,"caption":null,"author":null,"published":null,\
        "feed":{"id":2,"title":null},\
        "thumbnail":{"url":null,"stored":false,"bytes":null,"type":null,"width":null,\
        "height":null,"sha256":null,"damaged":false},\
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

  @Test func `writes what failed of an image`() {
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

    presenter.presentFetchedImages(response: .init(images: [image]))

    let date = "2026-11-02T08:00:00Z"
    #expect(
      screen.output.contains(
        #""failures":[{"picture":"thumbnail","reason":"no picture","tries":3,"#
          + #""failed":"\#(date)","retry":"\#(date)"}]}"#
      )
    )
  }

  @Test func `tells why a request came to nothing`() {
    presenter.presentFailure(response: .init(failure: .noSuchImage(id: 9)))

    #expect(screen.output == "")
    #expect(
      screen.errors == "cannot show '9': no such image — 'gallery list' shows the ids\n"
    )
    #expect(display.outcome == .notFound)
  }
}
