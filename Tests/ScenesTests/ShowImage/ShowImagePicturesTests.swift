import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

/// The pictures that the presenter makes from pixels.
struct ShowImagePicturesTests {
  private let display = ShowImageDisplaySpy()
  private let pixels = DecodedPixels.plain(of: (320, 213), orientation: 6)
  private var presenter: ShowImagePresenter { ShowImagePresenter(display: display) }

  @Test func `shows a thumbnail as large as the original will be`() throws {
    presenter.presentFetchedThumbnail(
      response: .init(image: .moon, thumbnail: .smallMoon, pixels: .success(pixels))
    )

    #expect(try thumbnail() == picture(PixelSize(width: 6_000, height: 4_000)))
  }

  @Test func `shows a thumbnail as large as there is room when the original's size is unknown`()
    throws
  {
    presenter.presentFetchedThumbnail(
      response: .init(image: .unnamed, thumbnail: .smallMoon, pixels: .success(pixels))
    )

    #expect(try thumbnail() == picture(nil))
  }

  @Test func `shows a thumbnail that is all that is wanted no larger than it is`() throws {
    presenter.presentFetchedThumbnail(
      response: .init(image: .moon, thumbnail: .smallMoon, pixels: .success(pixels), isAll: true)
    )

    #expect(try thumbnail() == picture(PixelSize(width: 213, height: 320)))
  }

  @Test func `shows what has come of an original, and all of it`() throws {
    presenter.presentPartialOriginal(response: .init(pixels: pixels))
    presenter.presentFetchedOriginal(
      response: .init(image: .moon, fetched: .storedMoon, pixels: .success(pixels))
    )

    let shown = try picture(PixelSize(width: 213, height: 320))
    #expect(
      display.events == [
        .partialOriginal(.init(picture: shown)),
        .original(
          .init(
            text: "stored original, 6000 × 4000, JPEG, 4.2 MiB",
            path: StoredOriginal.moon.path,
            picture: shown
          )
        ),
      ]
    )
  }

  @Test(arguments: [
    (PictureSubstitute.preview, "by the largest preview in its raw data"),
    (.withoutCurve, "without the curve of its colours"), (.withoutText, "without its text"),
  ])
  func `says what is drawn in place of what a file says`(
    substitute: PictureSubstitute,
    manner: String
  ) throws {
    var pixels = pixels
    pixels.source.substitute = substitute
    presenter.presentFetchedOriginal(
      response: .init(image: .moon, fetched: .storedMoon, pixels: .success(pixels))
    )

    guard case .original(let shown)? = display.events.last else {
      Issue.record("no original is shown")
      return
    }
    #expect(shown.note == "the original of '7' is drawn \(manner)")
    #expect(shown.picture != nil)
  }

  @Test(arguments: [
    (
      ImagingError.unsupported(.svg),
      "cannot draw the original of '7': the libvips of this machine does not read SVG"
    ),
    (
      .cannotStart(message: "No memory"),
      "cannot draw pictures: the decoder cannot be started: no memory — only text is shown"
    ),
  ])
  func `tells why an original is not drawn`(error: ImagingError, note: String) {
    presenter.presentFetchedOriginal(
      response: .init(image: .moon, fetched: .storedMoon, pixels: .failure(error))
    )

    guard case .original(let viewModel) = display.events.first else {
      Issue.record("nothing was displayed")
      return
    }
    #expect(viewModel.note == note)
    #expect(viewModel.picture == nil)
  }

  @Test(
    arguments: [
      ("x.png", "'x.png' is a JPEG picture, as it was stored"),
      ("a/b.c/x.TIFF", "'a/b.c/x.TIFF' is a JPEG picture, as it was stored"),
      ("x.jpg", nil), ("x.JPEG", nil), ("x", nil), ("x.bak", nil), ("my.png/x", nil),
    ] as [(String, String?)]
  )
  func `tells that a copy's name stands for another format`(path: String, note: String?) {
    presenter.presentFetchedOriginal(
      response: .init(
        image: .moon,
        fetched: .storedMoon,
        pixels: nil,
        copy: .file(path: path, isReplacing: false)
      )
    )

    guard case .original(let viewModel) = display.events.first else {
      Issue.record("nothing was displayed")
      return
    }
    #expect(viewModel.note == note)
  }

  private static let openings: [(OpeningError, HintedText)] = [
    (
      OpeningError.activeContent(.svg),
      "cannot open the original of '7': SVG can hold programs, which a viewer may run — it is stored"
    ),
    (
      .noProgram(name: "xdg-open"),
      "cannot open the original of '7': there is no 'xdg-open' in PATH — it is stored"
    ),
    (
      .cannotStart(name: "xdg-open", message: "Permission denied"),
      "cannot open the original of '7': 'xdg-open' cannot be started: permission denied — it is stored"
    ),
  ]

  @Test(arguments: openings)
  func `tells why an original was not opened`(error: OpeningError, message: HintedText) {
    presenter.presentFailure(response: .init(failure: .opening(error, imageID: 7)))

    let failure = Fail.ViewModel(message: message, outcome: .failed, isOfLibrary: true)
    #expect(display.events == [.failure(failure)])
  }

  private func thumbnail() throws -> DisplayedPicture? {
    guard case .thumbnail(let viewModel) = try #require(display.events.first) else { return nil }
    return viewModel.picture
  }

  private func picture(_ size: PixelSize?) throws -> DisplayedPicture {
    DisplayedPicture(picture: try #require(Picture(pixels)), fullSize: size)
  }
}
