import FoundationEssentials
import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

struct ShowImageJSONPresenterTests {
  private let display = RecordDisplaySpy()
  private var presenter: ShowImageJSONPresenter { ShowImageJSONPresenter(display: display) }

  @Test func `presents thumbnail, progress and original as records`() {
    presenter.presentFetchedThumbnail(response: .init(image: .moon, thumbnail: .smallMoon))
    presenter.presentFetchProgress(response: .init(imageID: 7, received: 65_536, total: nil))
    presenter.presentFetchedOriginal(
      response: .init(image: .moon, fetched: .moon, copy: nil)
    )

    let thumbnail: Record = [
      "event": "thumbnail", "id": 7, "title": "The moon over the bay", "type": "image/jpeg",
      "bytes": 1_234, "width": 320, "height": 213,
    ]
    let progress: Record = [
      "event": "progress", "id": 7, "received": 65_536, "total": .integer(nil),
    ]
    let original: Record = [
      "event": "original", "id": 7, "file": "/library/originals/a1/a1b2.jpg", "bytes": 4_404_019,
      "sha256": "a1b2", "type": "image/jpeg", "width": 6_000, "height": 4_000,
      "downloaded": true, "resumedFrom": 0, "damaged": false,
    ]
    #expect(
      display.events == [
        .records(.init(thumbnail, outcome: nil)), .records(.init(progress, outcome: nil)),
        .records(.init(original)),
      ]
    )
  }

  @Test func `presents progress in steps, and that of the next original from its start`() {
    let presenter = presenter
    for received in [65_536, 70_000, 131_072] {
      presenter.presentFetchProgress(response: .init(imageID: 7, received: received, total: nil))
    }
    presenter.presentFetchedOriginal(response: .init(image: .moon, fetched: .moon, copy: nil))
    presenter.presentFetchProgress(response: .init(imageID: 7, received: 140_000, total: nil))

    let received = display.records.compactMap { $0.value("received") }
    #expect(received == [65_536, 131_072, 140_000])
  }

  @Test func `describes an image with what failed of it`() {
    var image = WebImage.moon
    image.failures = [
      PictureFailure(
        kind: .original,
        reason: "the server answered 404 (not found)",
        tries: 2,
        failed: .novemberMorning,
        retry: .novemberMorning + 86_400
      )
    ]

    presenter.presentDescribedImage(response: .init(image: image))

    let record: Record = [
      "picture": "original", "reason": "the server answered 404 (not found)", "tries": 2,
      "failed": "2026-11-02T08:00:00Z", "retry": "2026-11-03T08:00:00Z",
    ]
    #expect(display.records.map { $0.value("failures") } == [.records([record])])
  }

  @Test(arguments: [false, true])
  func `describes what the camera has written, and the place only where it may`(
    tellsPlaces: Bool
  ) {
    var details = PictureDetails()
    (details.camera, details.exposure, details.aperture) = ("X100V", 4_000_000, 280)
    details.taken = DateTaken(clock: 1_563_127_353_450, offset: -570)
    details.place = PicturePlace(latitude: 48_858_367, longitude: 2_294_450)
    let presenter = ShowImageJSONPresenter(display: display, tellsPlaces: tellsPlaces)

    presenter.presentDescribedImage(response: .init(image: .moon, details: details))

    var record: Record = [
      "camera": "X100V", "lens": .text(nil), "exposure": .real(0.004), "aperture": .real(2.8),
      "iso": .integer(nil), "focalLength": .integer(nil), "taken": "2019-07-14T18:02:33-09:30",
    ]
    if tellsPlaces {
      record.add(
        "place",
        .record(["latitude": .real(48.858367), "longitude": .real(2.29445)])
      )
    }
    #expect(display.records.map { $0.value("details") } == [.record(record)])
  }

  @Test func `an image without details has no member for them`() {
    presenter.presentDescribedImage(response: .init(image: .moon, details: PictureDetails()))

    #expect(display.records.map { $0.value("details") } == [nil])
  }

  @Test func `presents how much of an original was here before`() {
    presenter.presentFetchedOriginal(
      response: .init(image: .moon, fetched: .resumedMoon, copy: nil)
    )

    #expect(display.records.map { $0.value("resumedFrom") } == [.integer(1 << 20)])
  }

  @Test func `presents why there is no original as a record and as a sentence`() {
    presenter.presentUnavailableOriginal(
      response: .init(image: .unnamed, failure: .offline, stored: nil)
    )

    let reason = "the original is not stored, and this command may not use the network"
    let message: HintedText =
      "cannot show the original of '8': \(reason) — its thumbnail is not stored either"
    let record: Record = [
      "event": "unavailable", "id": 8, "reason": .text(reason), "detail": .text(nil),
    ]
    #expect(
      display.events == [
        .records(.init(record, outcome: nil)),
        .failure(.init(message: message, outcome: .unavailable)),
      ]
    )
  }

  @Test func `describes an image with all that is known`() {
    var image = WebImage.moon
    image.manifest = Manifest(
      label: "Sky",
      pageAddress: .at("https://a.b/sky"),
      attribution: "Held by Ann",
      rights: "CC0",
      details: [.init(label: "Shelf mark", value: "MS 5"), .init(label: "", value: "loose")]
    )
    presenter.presentDescribedImage(response: .init(image: image.with(.stale), original: .moon))

    #expect(
      Wording.description(of: image, nil).filter {
        ["manifest", "attribution", "metadata"].contains($0.name)
      }
      .map(\.value) == ["Sky", "Held by Ann", "Shelf mark: MS 5", "loose"]
    )
    let record: Record = [
      "id": 7,
      "feed": ["id": 1, "title": "Astronomy"],
      "title": "The moon over the bay",
      "caption": "Seen from the pier.",
      "author": "Ann Lee",
      "licence": "CC BY 4.0",
      "published": "2026-11-02T08:00:00Z",
      "pageURL": "https://stars.example/moon",
      "thumbnailURL": "https://stars.example/moon-small.jpg",
      "originalURL": "https://stars.example/moon.jpg",
      "width": 6_000,
      "height": 4_000,
      "thumbnailStored": true,
      "originalStored": true,
      "thumbnailDamaged": false,
      "originalDamaged": false,
      "gone": false,
      "pinned": false,
      "failures": .records([]),
      "feedURL": "https://stars.example/feed.xml",
      "firstSeen": "2026-11-02T12:00:00Z",
      "thumbnail": [
        "bytes": 1_234, "type": "image/jpeg", "width": 320, "height": 213, "sha256": .text(nil),
      ],
      "original": [
        "file": .text(StoredOriginal.moon.path),
        "sha256": .text(StoredOriginal.moon.sha256),
        "bytes": 4_404_019,
        "type": "image/jpeg",
        "width": 6_000,
        "height": 4_000,
        "stale": true,
      ],
      "manifest": [
        "title": "Sky",
        "pageURL": "https://a.b/sky",
        "attribution": "Held by Ann",
        "rights": "CC0",
        "metadata": .records([
          ["label": "Shelf mark", "value": "MS 5"], ["label": "", "value": "loose"],
        ]),
      ],
    ]
    #expect(display.events == [.records(.init(record))])
  }

  @Test func `presents the facts of a thumbnail whose bytes were read`() {
    presenter.presentReadThumbnail(response: .init(thumbnail: .smallMoon, bytes: [1, 2]))

    let record: Record = [
      "bytes": 1_234, "type": "image/jpeg", "width": 320, "height": 213, "sha256": .text(nil),
    ]
    #expect(display.events == [.records(.init(record))])
  }

  @Test func `presents why a request came to nothing`() {
    presenter.presentFailure(response: .init(failure: .library(.noLibrary, .show)))

    let message: HintedText = "nothing is stored at '/library' yet — \(.beginLibrary)"
    let failure = Fail.ViewModel(message: message, outcome: .notFound, isOfLibrary: true)
    #expect(display.events == [.failure(failure)])
  }
}
