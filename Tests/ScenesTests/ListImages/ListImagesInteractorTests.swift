import Foundation
import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

struct ListImagesInteractorTests {
  private let presenter = ListImagesPresentationSpy()
  private let pins = LibraryManagingSpy(missing: [-9, -11, -12, -30])

  // MARK: Fetching

  @Test func `hands order, feed, search, date and page to the library as one query`() async {
    let library = LibraryStub(feeds: [.astronomy])
    let request = ListImages.FetchImages.Request(
      query: ImageQuery(
        order: .title,
        search: "moon bay",
        since: .novemberMorning,
        limit: 20,
        offset: 40
      ),
      feed: .id(1)
    )

    await interactor(library).fetchImages(request: request)

    let query = ImageQuery(
      order: .title,
      feedID: 1,
      search: "moon bay",
      since: .novemberMorning,
      limit: 21,
      offset: 40
    )
    // Without a match, it also counts those that the offset skips.
    #expect(library.events.prefix(2) == [.feeds, .imageIDs(query)])
  }

  @Test(arguments: [
    FeedArgument.address(.at("https://a.b/2")), .named("hours of anne"), .named("Hours"),
    .named("Psalter"),
  ])
  func `narrows to a manifest by its address, or by a label that only one has`(
    argument: FeedArgument
  ) async {
    let labels = ["Hours", "Hours of Anne", "Hours"]
    let manifests = labels.enumerated().map { number, label in
      FeedManifest(
        id: Int64(number + 1),
        feedID: 1,
        address: .at("https://a.b/\(number + 1)"),
        label: label,
        imageCount: 9
      )
    }
    let library = LibraryStub(feeds: [.astronomy], manifests: manifests)

    await interactor(library).fetchImages(request: .init(feed: argument))

    switch argument {
    case .named("Hours"):
      let failure = RequestFailure.ambiguousManifest([.at("https://a.b/1"), .at("https://a.b/3")])
      #expect(presenter.events == [.failure(.init(failure: failure))])
      #expect(failure.outcome == .misused)
    case .named("Psalter"):
      #expect(presenter.events == [.failure(.init(failure: .noSuchFeed(argument)))])
    default:
      let query = ImageQuery(manifestID: 2)
      #expect(library.events.last == .imageIDs(query))
    }
  }

  @Test func `narrows a list of feeds to the images of its feeds`() async {
    var list = Feed.astronomy
    list.format = .opml
    let library = LibraryStub(feeds: [list])

    await interactor(library).fetchImages(request: .init(feed: .id(list.id)))

    #expect(library.events.last == .imageIDs(ImageQuery(listID: list.id)))
  }

  @Test func `counts what failed of the images that it presents, the most frequent reason first`()
    async
  {
    var images = WebImage.many(12)
    for (index, reason) in ["a", "b", "b", "c", "c", "c"].enumerated() {
      let failure = PictureFailure(
        kind: .thumbnail,
        reason: reason,
        tries: 1,
        failed: .novemberMorning,
        retry: .novemberMorning + Double(index)
      )
      images[index].failures = [failure]
    }

    await interactor(LibraryStub(images: images)).fetchImages(
      request: .init(query: .init(limit: 5))
    )

    let groups = [("b", 2, 1), ("c", 2, 3), ("a", 1, 0)].map { reason, count, first in
      FailureGroup(
        kind: .thumbnail,
        count: count,
        reason: reason,
        retry: .novemberMorning + Double(first)
      )
    }
    let ends = presenter.events.compactMap { event in
      if case .endedFetch(let end) = event { end.failures } else { nil }
    }
    #expect(ends == [groups])
  }

  @Test func `asks for all images when there is no limit`() async {
    let library = LibraryStub()

    await interactor(library).fetchImages(request: .init())

    #expect(library.events == [.imageIDs(ImageQuery())])
  }

  @Test func `takes the largest limit there is`() async {
    let library = LibraryStub(images: [.moon])

    await interactor(library).fetchImages(request: .init(query: .init(limit: .max)))

    #expect(library.events == [.imageIDs(ImageQuery(limit: .max))])
    #expect(presenter.events == page([.moon]))
  }

  @Test func `gives each random order a seed, and knows no next page of it`() async {
    let library = LibraryStub(images: WebImage.many(5))
    var seeds: [UInt64] = [7, 8]
    let interactor = ListImagesInteractor(
      presenter: presenter,
      library: library,
      decoder: ImageDecodingStub(),
      timelines: Timelines(library),
      pins: pins,
      makeSeed: { seeds.removeFirst() }
    )

    await interactor.fetchImages(request: .init(query: .init(order: .random, limit: 3)))
    await interactor.fetchImages(request: .init(query: .init(order: .random)))

    #expect(
      library.events == [
        .imageIDs(ImageQuery(order: .random, limit: 3, seed: 7)),
        .imageIDs(ImageQuery(order: .random, seed: 8)),
      ]
    )
    #expect(presenter.events.contains(.endedFetch(.init(count: 3, nextOffset: nil))))
  }

  @Test func `presents a page and holds its images`() async {
    let interactor = interactor(LibraryStub(images: [.moon, .unnamed]))

    await interactor.fetchImages(request: .init(query: .init(limit: 2)))

    #expect(presenter.events == page([.moon, .unnamed]))
    #expect(interactor.images == [.moon, .unnamed])
  }

  @Test func `knows where the next page begins`() async {
    let images = WebImage.many(12)
    let interactor = interactor(LibraryStub(images: images))

    await interactor.fetchImages(request: .init(query: .init(limit: 3, offset: 5)))

    #expect(presenter.events == page(Array(images[5..<8]), nextOffset: 8))
    #expect(interactor.images == Array(images[5..<8]))
  }

  @Test func `goes on behind the image that ended the page before`() async {
    let library = LibraryStub(images: WebImage.many(3))

    await interactor(library).fetchImages(request: .init(after: "5.6.7"))

    let query = ImageQuery(after: ImageCursor(number: 5, position: 6, imageID: 7))
    #expect(library.events.first == .imageIDs(query))
  }

  @Test(arguments: ["", "x", "1.2", "1.2.3.4", "1.2.99999999999999999999"])
  func `refuses a text that no page before had`(after: String) async {
    await interactor(LibraryStub(images: [.moon])).fetchImages(request: .init(after: after))

    #expect(presenter.events == [.failure(.init(failure: .noSuchPage))])
  }

  @Test func `presents a long result in batches and holds the last`() async {
    let images = WebImage.many(2_300)
    let interactor = interactor(LibraryStub(images: images))

    await interactor.fetchImages(request: .init())

    #expect(
      presenter.events == [
        .fetchedImages(.init(images: Array(images[..<1_000]))),
        .fetchedImages(.init(images: Array(images[1_000..<2_000]))),
        .fetchedImages(.init(images: Array(images[2_000...]))),
        .endedFetch(.init(count: 2_300, nextOffset: nil)),
      ]
    )
    #expect(interactor.images == Array(images[2_000...]))
  }

  @Test func `holds the page when its limit falls on the end of a batch`() async {
    let images = WebImage.many(1_500)
    let interactor = interactor(LibraryStub(images: images))

    await interactor.fetchImages(request: .init(query: .init(limit: 1_000)))

    #expect(presenter.events == page(Array(images[..<1_000]), nextOffset: 1_000))
    #expect(interactor.images == Array(images[..<1_000]))
  }

  @Test func `presents and holds nothing when no image matches`() async {
    let interactor = interactor(LibraryStub(images: [.moon]))
    await interactor.fetchImages(request: .init())

    await interactor.fetchImages(request: .init(query: .init(offset: 1)))

    #expect(presenter.events.last == .endedFetch(.init(count: 0, nextOffset: nil, skipped: 1)))
    #expect(interactor.images == [])
  }

  @Test(arguments: [(nil, true), ("moon", false)])
  func `presents that there is nothing to match, unless something was looked for`(
    search: String?,
    isLibraryEmpty: Bool
  ) async {
    await interactor(LibraryStub()).fetchImages(request: .init(query: .init(search: search)))

    let end = ListImages.FetchImages.Ended.Response(
      count: 0,
      nextOffset: nil,
      isLibraryEmpty: isLibraryEmpty
    )
    #expect(presenter.events == [.endedFetch(end)])
  }

  @Test(arguments: [
    ("camera:PENTAX K-7", #"camera:"PENTAX K-7""#), (#"camera:"PENTAX K-7""#, nil),
    ("camera:pentax butterfly", nil), ("moon 7", nil),
  ])
  func `presents the search for a camera that needs quotation marks`(
    search: String,
    cameraSearch: String?
  ) async {
    await interactor(LibraryStub()).fetchImages(request: .init(query: .init(search: search)))

    let end = ListImages.FetchImages.Ended.Response(
      count: 0,
      nextOffset: nil,
      cameraSearch: cameraSearch
    )
    #expect(presenter.events == [.endedFetch(end)])
  }

  @Test func `presents that the library cannot be read`() async {
    await interactor(LibraryStub(error: .damaged)).fetchImages(request: .init())

    #expect(presenter.events == [.failure(.init(failure: .library(.damaged, .list)))])
  }

  @Test(arguments: [
    FeedArgument.id(9), .address(.at("https://other.example/")), .unusable(.at("ftp://a.b/c")),
    .named("Astronomer"),
  ])
  func `presents that no such feed is followed`(_ feed: FeedArgument) async {
    let library = LibraryStub(images: [.moon], feeds: [.astronomy])

    await interactor(library).fetchImages(request: .init(feed: feed))

    #expect(presenter.events == [.failure(.init(failure: .noSuchFeed(feed)))])
  }

  // MARK: Selecting

  @Test func `selects an image that is not on the page`() async {
    let interactor = interactor(LibraryStub(images: [.moon, .unnamed]))
    await interactor.fetchImages(request: .init(query: .init(limit: 1)))

    await interactor.selectImage(request: .init(id: 8))

    #expect(interactor.selectedImage == .unnamed)
    #expect(presenter.events == page([.moon], nextOffset: 1))
  }

  @Test func `presents that there is no such image and selects nothing`() async {
    let interactor = interactor(LibraryStub(images: [.moon]))
    await interactor.selectImage(request: .init(id: 7))

    await interactor.selectImage(request: .init(id: 99))

    #expect(interactor.selectedImage == nil)
    #expect(presenter.events == [.failure(.init(failure: .noSuchImage(id: 99)))])
  }

  @Test func `selects no image outside of the part that may be seen`() async {
    let library = LibraryStub(images: [.moon])
    let interactor = interactor(library)

    await interactor.selectImage(request: .init(id: 7, in: ImageQuery(feedID: 1)))
    await interactor.selectImage(request: .init(id: 7, in: ImageQuery(feedID: 1, limit: 0)))

    #expect(interactor.selectedImage == nil)
    #expect(presenter.events == [.failure(.init(failure: .noSuchImage(id: 7)))])
    #expect(library.events.filter { $0 == .image(id: 7) }.count == 1)
  }

  @Test func `presents that an image cannot be read`() async {
    let interactor = interactor(LibraryStub(error: .damaged))

    await interactor.selectImage(request: .init(id: 7))

    #expect(interactor.selectedImage == nil)
    #expect(presenter.events == [.failure(.init(failure: .library(.damaged, .show)))])
  }

  // MARK: Pinning

  @Test func `pins images by their ids, and names those that are not there`() async {
    await interactor(LibraryStub()).pinImages(request: .init(ids: [7, -9], isPinned: true))

    #expect(pins.events == [.setPinned(true, imageIDs: [7, -9])])
    #expect(
      presenter.events == [
        .pinnedImages(.init(count: 1, isPinned: true)),
        .failure(.init(failure: .noSuchImage(id: -9, .pin))),
      ]
    )
  }

  @Test func `pins the images of a range that are there, and tells a range without any`() async {
    let request = ListImages.PinImages.Request(
      ids: Array(-9...8) + [-12, -11, -30],
      ranges: [-9...8, -12...(-11)],
      isPinned: true
    )

    await interactor(LibraryStub()).pinImages(request: request)

    #expect(
      presenter.events == [
        .pinnedImages(.init(count: 17, isPinned: true)),
        .failure(.init(failure: .noSuchImage(id: -30, .pin))),
        .failure(.init(failure: .noSuchImages(ids: -12...(-11), .pin))),
      ]
    )
  }

  @Test func `tells of an image that is not there only what the request asks for`() async {
    let failure = RequestFailure.noSuchImages(ids: 98...99)
    for asked in [nil, failure] {
      var request = ListImages.SelectImage.Request(id: 99)
      request.failure = asked
      await interactor(LibraryStub()).selectImage(request: request)
    }

    #expect(presenter.events == [.failure(.init(failure: failure))])
  }

  @Test func `takes the pins of a feed's images away, a batch at a time`() async {
    let images = WebImage.many(1_001)
    let library = LibraryStub(images: images, feeds: [.astronomy])
    let list = ListImages.FetchImages.Request(feed: .id(1))

    await interactor(library).pinImages(request: .init(ids: [], list: list, isPinned: false))

    let ids = images.map(\.id)
    #expect(
      pins.events == [
        .setPinned(false, imageIDs: Array(ids.prefix(1_000))),
        .setPinned(false, imageIDs: Array(ids.suffix(1))),
      ]
    )
    #expect(presenter.events == [.pinnedImages(.init(count: 1_001, isPinned: false))])
  }

  @Test func `originals of a folder that is away count as not stored, and it is looked at once`()
    async
  {
    func image(_ id: Int64, _ feed: Int64, _ address: String) -> WebImage {
      var image = WebImage.moon
      (image.id, image.original) = (id, .stored)
      image.feed = FeedReference(id: feed, address: .at(address), title: nil)
      return image
    }
    let images = [
      image(1, 1, "file:///away/"), image(2, 2, "file:///here/"), image(3, 1, "file:///away/"),
      image(4, 3, "https://a.b/away/"), image(5, 4, "file:///away/feed.xml"),
    ]
    let looks = Locked<[String]>([])
    let library = LibraryStub(images: images)
    let interactor = ListImagesInteractor(
      presenter: presenter,
      library: library,
      decoder: ImageDecodingStub(),
      timelines: Timelines(library),
      pins: pins,
      isAway: { address in
        looks.withLock { $0.append(address.text) }
        return address.text.contains("away")
      }
    )

    await interactor.fetchImages(request: .init(query: ImageQuery()))

    guard case .fetchedImages(let response) = presenter.events.first else {
      Issue.record("\(presenter.events)")
      return
    }
    #expect(response.images.map(\.id) == [1, 2, 3, 4, 5])
    #expect(response.images.map(\.original) == [.missing, .stored, .missing, .stored, .stored])
    #expect(looks.withLock { $0 } == ["file:///away/", "file:///here/"])
  }

  /// The details of one original, and the hashes for which they were asked.
  private final class DetailsSpy: DetailsStoring {
    let asked = Locked<[[String]]>([])
    let known: [String: PictureDetails]

    init(_ known: [String: PictureDetails]) { self.known = known }

    func details(ofOriginals hashes: [String]) -> [String: PictureDetails] {
      asked.withLock { $0.append(hashes) }
      return known
    }

    func store(details: [String: PictureDetails]) {}
  }

  @Test(arguments: [true, false])
  func `reads what the cameras of stored originals have written, if it is asked for`(
    _ hasFacts: Bool
  ) async throws {
    let hash = try #require(SHA256Digest(hexadecimal: String(repeating: "a1", count: 32)))
    var details = PictureDetails()
    details.camera = "PENTAX K-7"
    let spy = DetailsSpy([hash.hexadecimal: details])
    let info = PictureInfo(format: .jpeg, bytes: 7, width: 3, height: 2, hash: hash)
    let fields = ImageFields(
      title: nil,
      caption: nil,
      author: nil,
      licence: nil,
      published: nil,
      pageAddress: nil,
      thumbnailAddress: nil,
      originalAddress: WebImage.moon.originalAddress.text,
      width: nil,
      height: nil
    )
    let state = ImageState.sample(
      id: WebImage.moon.id,
      fields: fields,
      original: .init(info: info, isStale: false)
    )
    let library = LibraryStub(images: [.moon.with(.stored), .unnamed], states: [state])
    let interactor = ListImagesInteractor(
      presenter: presenter,
      library: library,
      decoder: ImageDecodingStub(),
      timelines: Timelines(library),
      pins: pins,
      details: spy
    )

    await interactor.fetchImages(request: .init(query: ImageQuery(), hasFacts: hasFacts))

    guard case .fetchedImages(let response)? = presenter.events.first else {
      Issue.record("\(presenter.events)")
      return
    }
    #expect(spy.asked.withLock { $0 } == (hasFacts ? [[hash.hexadecimal]] : []))
    #expect(response.details == (hasFacts ? [hash.hexadecimal: details] : [:]))
  }

  @Test func `presents that no image can be pinned`() async {
    let pins = LibraryManagingSpy(error: .damaged)
    let library = LibraryStub()
    let interactor = ListImagesInteractor(
      presenter: presenter,
      library: library,
      decoder: ImageDecodingStub(),
      timelines: Timelines(library),
      pins: pins
    )

    await interactor.pinImages(request: .init(ids: [7], isPinned: true))

    #expect(presenter.events == [.failure(.init(failure: .library(.damaged, .pin)))])
  }

  @Test func `pins nothing without a library, and makes none`() async {
    let library = LibraryStub(error: .noLibrary)

    await interactor(library).pinImages(request: .init(ids: [7], isPinned: true))

    #expect(pins.events == [])
    #expect(presenter.events == [.failure(.init(failure: .library(.noLibrary, .pin)))])
  }

  private func interactor(_ library: LibraryStub) -> ListImagesInteractor {
    ListImagesInteractor(
      presenter: presenter,
      library: library,
      decoder: ImageDecodingStub(),
      timelines: Timelines(library),
      pins: pins
    )
  }

  private func page(
    _ images: [WebImage],
    nextOffset: Int? = nil
  ) -> [ListImagesPresentationSpy.Event] {
    var next: ImageCursor?
    if let nextOffset, let last = images.last {
      next = ImageCursor(number: 0, position: Int64(nextOffset - 1), imageID: last.id)
    }
    return [
      .fetchedImages(.init(images: images)),
      .endedFetch(.init(count: images.count, nextOffset: nextOffset, next: next)),
    ]
  }
}
