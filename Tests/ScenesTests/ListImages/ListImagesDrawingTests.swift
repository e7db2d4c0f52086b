import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

/// The requests to decode thumbnails, for a display that draws them.
struct ListImagesDrawingTests {
  private let presenter = ListImagesPresentationSpy()
  private let box = PixelSize(width: 240, height: 160)

  @Test func `presents rows of thumbnails in order, then the end`() async {
    let decoder = ImageDecodingStub { _ in .success(.plain()) }
    let images = WebImage.many(5)

    await fetch(images, decoder: decoder, limit: 4)

    let pixels = DecodedPixels.plain()
    #expect(
      presenter.events == [
        .fetchedImages(
          .init(images: Array(images[0..<3]), thumbnails: [pixels, pixels, pixels])
        ),
        .fetchedImages(.init(images: [images[3]], thumbnails: [pixels])),
        .endedFetch(
          .init(
            count: 4,
            nextOffset: 4,
            next: ImageCursor(number: 0, position: 3, imageID: images[3].id)
          )
        ),
      ]
    )
    let question = ImageDecodingStub.Question(.bytes([1, 2]), fitting: box, .whole)
    #expect(decoder.questions == [question, question, question, question])
  }

  @Test func `leaves a place empty for what is missing or cannot be decoded`() async {
    await fetch([.unnamed, .moon], decoder: ImageDecodingStub())

    #expect(
      presenter.events == [
        .fetchedImages(.init(images: [.unnamed, .moon], thumbnails: [nil, nil])),
        .endedFetch(.init(count: 2, nextOffset: nil)),
      ]
    )
  }

  @Test func `lists in words, and says why, when there is no decoder`() async {
    let reason = ImagingError.noDecoder(lookedAt: ["/bin/gallery-decoder"])

    await fetch(WebImage.many(2), decoder: ImageDecodingStub { _ in .failure(reason) })

    #expect(
      presenter.events == [
        .undrawnImages(.init(reason: reason)),
        .fetchedImages(.init(images: WebImage.many(2))),
        .endedFetch(.init(count: 2, nextOffset: nil)),
      ]
    )
  }

  @Test func `decodes nothing for a display that draws nothing`() async {
    let decoder = ImageDecodingStub()
    let library = LibraryStub(images: [.moon], thumbnail: [1, 2])

    await interactor(library, decoder).fetchImages(request: .init())

    #expect(decoder.questions == [])
    #expect(library.events == [.imageIDs(ImageQuery())])
  }

  @Test func `holds the whole page when it is presented in rows`() async {
    let library = LibraryStub(images: WebImage.many(5), thumbnail: [1, 2])
    let interactor = interactor(library, ImageDecodingStub())

    await interactor.fetchImages(request: .init(grid: .init(room: box, count: 2)))

    #expect(interactor.images == WebImage.many(5))
  }

  private func fetch(
    _ images: [WebImage],
    decoder: ImageDecodingStub,
    limit: Int? = nil
  ) async {
    let library = LibraryStub(images: images, thumbnail: [1, 2])
    let grid = ListImages.FetchImages.Grid(room: box, count: 3)
    await interactor(library, decoder).fetchImages(
      request: .init(query: .init(limit: limit), grid: grid)
    )
  }

  private func interactor(
    _ library: LibraryStub,
    _ decoder: ImageDecodingStub
  ) -> ListImagesInteractor {
    ListImagesInteractor(
      presenter: presenter,
      library: library,
      decoder: decoder,
      timelines: Timelines(library),
      pins: LibraryManagingSpy()
    )
  }
}
