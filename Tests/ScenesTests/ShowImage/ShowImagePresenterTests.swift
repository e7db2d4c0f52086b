import FoundationEssentials
import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

struct ShowImagePresenterTests {
  private let display = ShowImageDisplaySpy()
  private var presenter: ShowImagePresenter { ShowImagePresenter(display: display) }

  @Test func `names the image over a thumbnail whose place the original takes`() {
    presenter.presentFetchedThumbnail(response: .init(image: .moon, thumbnail: .smallMoon))

    #expect(display.events == [.thumbnail(.init(text: "7 'The moon over the bay'"))])
  }

  @Test func `presents how far the original is, how fast, and the time that is left`() {
    // Each read of the clock takes a second; each presentation reads it twice, and the first one three times.
    let clock = SteppingClock()
    let presenter = ShowImagePresenter(display: display, now: clock.read)
    let mega = 1 << 20

    presenter.presentFetchProgress(response: .init(imageID: 7, received: 0, total: 8 * mega))
    presenter.presentFetchProgress(response: .init(imageID: 7, received: 2 * mega, total: 8 * mega))
    presenter.presentFetchProgress(response: .init(imageID: 7, received: mega, total: 8 * mega))
    presenter.presentFetchedOriginal(response: .init(image: .moon, fetched: .moon, copy: nil))
    presenter.presentFetchProgress(response: .init(imageID: 7, received: 0, total: nil))

    let lines = display.events.compactMap { event in
      if case .progress(let viewModel) = event { viewModel.line } else { nil }
    }
    let rate = Wording.size(2 * mega / 4)
    #expect(lines.map(\.fraction) == [0, 0.25, 0.25, nil])
    #expect(lines[1].text == "2.0 MiB of 8.0 MiB, \(rate)/s, 12 s left")
  }

  @Test(
    arguments: [
      (503, nil, 3_200, "answered 503, tries again in 4 s (2 of 4), 0 B"),
      (nil, nil, 61_000, "no answer, tries again in 1 min 1 s (2 of 4), 0 B"),
      (
        nil, .connectionRefused, -5,
        "the server refuses connections, tries again in 0 s (2 of 4), 0 B"
      ),
    ] as [(Int?, NetworkError.Cause?, Int, String)]
  )
  func `presents why a server is asked again, and when`(
    _ status: Int?,
    _ cause: NetworkError.Cause?,
    _ milliseconds: Int,
    _ text: String
  ) {
    let presenter = ShowImagePresenter(display: display, now: SteppingClock().read)
    let wait = NetworkWaits.Wait(
      status: status,
      cause: cause,
      delay: .seconds(9),
      retry: 2,
      retries: 4
    )

    presenter.presentFetchProgress(
      response: .init(
        imageID: 7,
        received: 0,
        total: nil,
        wait: .init(cause: wait, left: .milliseconds(milliseconds))
      )
    )

    let lines = display.events.compactMap { event in
      if case .progress(let viewModel) = event { viewModel.line.text } else { nil }
    }
    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix(text) == true, "\(lines)")
  }

  @Test func `presents progress at most ten times a second`() {
    let time = Locked(ContinuousClock.now)
    let presenter = ShowImagePresenter(display: display) { time.withLock { $0 } }

    for milliseconds in [0, 99, 1, 50, 49, 1] {
      time.withLock { $0 += .milliseconds(milliseconds) }
      presenter.presentFetchProgress(response: .init(imageID: 7, received: 0, total: 9))
    }

    #expect(display.events.count == 2)
  }

  @Test func `presents the bytes of a thumbnail with their media type`() {
    presenter.presentReadThumbnail(response: .init(thumbnail: .smallMoon, bytes: [1, 2]))

    #expect(
      display.events == [.readThumbnail(.init(mediaType: "image/jpeg", bytes: [1, 2]))]
    )
  }

  @Test(arguments: [
    (nil, "/library/originals/a1/a1b2.jpg" as String?),
    (ExportDestination.file(path: "/home/ann/moon.jpg", isReplacing: false), "/home/ann/moon.jpg"),
    (.standardOutput, nil),
  ])
  func `presents the file to look at`(_ copy: ExportDestination?, _ path: String?) {
    presenter.presentFetchedOriginal(
      response: .init(image: .moon, fetched: .storedMoon, copy: copy)
    )

    let text = "stored original, 6000 × 4000, JPEG, 4.2 MiB"
    #expect(display.events == [.original(.init(text: text, path: path))])
  }

  @Test func `tells an original that was fetched now`() {
    presenter.presentFetchedOriginal(
      response: .init(image: .moon, fetched: .moon, copy: .standardOutput)
    )

    let text = "fetched original, 6000 × 4000, JPEG, 4.2 MiB"
    #expect(display.events == [.original(.init(text: text, path: nil))])
  }

  @Test(arguments: [
    (FetchedOriginal.unchangedMoon, "unchanged original, 6000 × 4000, JPEG, 4.2 MiB"),
    (.resumedMoon, "fetched original, 6000 × 4000, JPEG, 4.2 MiB, 1.0 MiB of it were here before"),
  ])
  func `tells how an original came here`(_ fetched: FetchedOriginal, _ text: String) {
    presenter.presentFetchedOriginal(
      response: .init(image: .moon, fetched: fetched, copy: .standardOutput)
    )

    #expect(display.events == [.original(.init(text: text, path: nil))])
  }

  @Test func `counts a refresh that failed as done in part`() {
    presenter.presentUnavailableOriginal(
      response: .init(image: .moon, failure: .status(503), stored: .moon, isRefresh: true)
    )

    let message: HintedText = """
      cannot refresh the original of '7': the server answered 503 (not available now) — this is \
      the one that is stored
      """
    #expect(display.events == [.unavailableOriginal(.init(message: message, outcome: .partly))])
  }

  @Test func `counts a refresh of what is not stored as unavailable`() {
    presenter.presentUnavailableOriginal(
      response: .init(image: .moon, failure: .status(404), stored: nil, isRefresh: true)
    )

    let message: HintedText = """
      cannot show the original of '7': the server answered 404 (not found) — its thumbnail is stored
      """
    #expect(
      display.events == [.unavailableOriginal(.init(message: message, outcome: .unavailable))]
    )
  }

  @Test func `tells an outdated original from one of another address`() {
    var stored = StoredOriginal.staleMoon
    stored.address = WebImage.moon.originalAddress

    presenter.presentUnavailableOriginal(
      response: .init(image: .moon, failure: .status(404), stored: stored)
    )

    let message: HintedText = """
      cannot show the original of '7': the server answered 404 (not found) — this is the one that \
      is stored
      """
    #expect(display.events == [.unavailableOriginal(.init(message: message, outcome: .done))])
  }

  @Test func `presents why there is no original`() {
    presenter.presentUnavailableOriginal(
      response: .init(image: .moon, failure: .status(404), stored: nil)
    )

    let message: HintedText = """
      cannot show the original of '7': the server answered 404 (not found) — its thumbnail is stored
      """
    #expect(
      display.events == [.unavailableOriginal(.init(message: message, outcome: .unavailable))]
    )
  }

  @Test(arguments: [(StoreError.Reason.full, true), (.tooLarge(bound: 9), false)])
  func `tells a failure of the library from a bound of it`(
    _ reason: StoreError.Reason,
    _ isOfLibrary: Bool
  ) {
    let error = StoreError(reason: reason, path: "/library", message: "")

    presenter.presentUnavailableOriginal(
      response: .init(image: .moon, failure: .store(error), stored: nil)
    )

    guard case .unavailableOriginal(let failure)? = display.events.last else {
      Issue.record("nothing was displayed")
      return
    }
    #expect(failure.isOfLibrary == isOfLibrary)
  }

  @Test func `counts an original before that is shown instead as done`() {
    presenter.presentUnavailableOriginal(
      response: .init(image: .moon, failure: .status(503), stored: .staleMoon)
    )

    let message: HintedText = """
      cannot show the original of '7': the server answered 503 (not available now) — this is the \
      one stored before its feed named another
      """
    #expect(display.events == [.unavailableOriginal(.init(message: message, outcome: .done))])
  }

  @Test func `describes an image in the order in which people ask`() {
    presenter.presentDescribedImage(response: .init(image: .moon.with(.stale), original: .moon))

    let fields = [
      ("id", "7"),
      ("title", "The moon over the bay"),
      ("caption", "Seen from the pier."),
      ("author", "Ann Lee"),
      ("licence", "CC BY 4.0"),
      ("published", Wording.localTime(.novemberMorning)),
      ("first seen", Wording.localTime(.novemberMorning + 4 * 3_600)),
      ("feed", "1 Astronomy"),
      ("page", "https://stars.example/moon"),
      ("thumbnail", "https://stars.example/moon-small.jpg"),
      ("original", "https://stars.example/moon.jpg"),
      ("size", "6000 × 4000"),
      (
        "stored",
        """
        thumbnail (320 × 213, JPEG, 1.2 KiB), \
        original (6000 × 4000, JPEG, 4.2 MiB; before its feed named another)
        """
      ),
      ("file", StoredOriginal.moon.path),
      ("SHA-256", StoredOriginal.moon.sha256),
    ]
    #expect(described?.fields == fields.map { DescriptionField(name: $0, value: $1) })
  }

  @Test func `tells the size of a turned picture as it is shown`() {
    var image = WebImage.moon.with(.stored)
    (image.width, image.height) = (2_400, 1_350)
    image.thumbnail?.width = 360
    image.thumbnail?.height = 640
    var original = StoredOriginal.moon
    (original.info.width, original.info.height) = (2_400, 1_350)

    presenter.presentDescribedImage(response: .init(image: image, original: original))

    let fields = described?.fields ?? []
    #expect(fields.first { $0.name == "size" }?.value == "1350 × 2400")
    let stored = fields.first { $0.name == "stored" }?.value
    #expect(stored?.hasPrefix("thumbnail (360 × 640, ") == true)
    #expect(stored?.contains("original (1350 × 2400, ") == true)
  }

  @Test func `says that only the thumbnail has changed, if the feed names the same original`() {
    var original = StoredOriginal.moon
    original.address = WebImage.moon.originalAddress
    presenter.presentDescribedImage(response: .init(image: .moon.with(.stale), original: original))

    let stored = described?.fields.first { $0.name == "stored" }?.value
    #expect(stored?.hasSuffix("4.2 MiB; before its thumbnail changed)") == true)
  }

  @Test func `says which newer picture is beside the stored one, and why`() {
    presenter.presentDescribedImage(response: .init(image: .moon, newer: [.sign]))
    let fields = described?.fields
    presenter.presentFetchedNewer(response: .init(image: .moon, newer: .sign))

    let sign = """
      original (161 × 81, PNG, 900 B) of \(Wording.localTime(Successor.sign.arrived)), kept beside \
      the stored one: its address is that of a sign, it came by a new redirect, it has less than a \
      quarter of the area
      """
    #expect(fields?.last == DescriptionField(name: "newer", value: sign))
    let shown = ShowImage.FetchOriginal.ViewModel(
      text: "7 'The moon over the bay': newer \(sign)",
      path: "/library/originals/01/01.png"
    )
    #expect(display.events.last == .original(shown))
  }

  @Test func `tells with a stored original that a newer one is beside it`() {
    let fetched = FetchedOriginal(original: .moon, wasDownloaded: false, wireBytes: 0)
    presenter.presentFetchedOriginal(
      response: .init(image: .moon, fetched: fetched, newer: [.sign])
    )

    guard case .original(let shown)? = display.events.last else {
      Issue.record("nothing was displayed")
      return
    }
    #expect(shown.text.hasSuffix("; a newer picture is kept beside it"))
  }

  @Test func `leaves out what is unknown of an image`() {
    var image = WebImage.unnamed
    (image.isGone, image.isPinned) = (true, true)

    presenter.presentDescribedImage(response: .init(image: image))

    let fields = [
      ("id", "8"),
      ("first seen", Wording.localTime(.novemberMorning)),
      ("feed", "2 https://***@team.example/shots.json?token=***"),
      ("original", "https://team.example/8.png"),
      ("stored", "nothing yet"),
      ("gone", "the feed no longer lists it"),
      ("pinned", "yes, so its pictures stay"),
    ]
    #expect(described?.fields == fields.map { DescriptionField(name: $0, value: $1) })
  }

  @Test(arguments: [
    ("file:///home/ann/Pictures/", "date"), ("file:///home/ann/feed.xml", "published"),
    ("https://stars.example/Pictures/", "published"),
  ])
  func `calls the date of a file in a folder no date of publication`(feed: String, name: String) {
    var image = WebImage.moon
    image.feed.address = .at(feed)

    presenter.presentDescribedImage(response: .init(image: image))

    let names = described?.fields.map(\.name) ?? []
    #expect(names.filter { ["date", "published"].contains($0) } == [name])
    #expect(described?.image.dateName == name)
  }

  @Test func `presents why a request came to nothing`() {
    presenter.presentFailure(response: .init(failure: .noThumbnail(imageID: 8)))

    let message: HintedText = "cannot show the thumbnail of '8': none is stored"
    #expect(display.events == [.failure(.init(message: message, outcome: .unavailable))])
  }

  @Test func `tells the facts about an image one by one, for a page`() {
    presenter.presentDescribedImage(response: .init(image: .moon, original: .moon))

    var facts = DisplayedImageFacts(
      title: "The moon over the bay",
      feed: "Astronomy",
      feedID: 1
    )
    facts.caption = "Seen from the pier."
    facts.author = "Ann Lee"
    facts.licence = "CC BY 4.0"
    facts.published = "2026-11-02T08:00:00Z"
    facts.pageAddress = "https://stars.example/moon"
    facts.original = described?.image.original
    facts.originalSize = "6000 × 4000, JPEG, 4.2 MiB"
    facts.width = WebImage.moon.width
    facts.height = WebImage.moon.height
    #expect(described?.image == facts)
    #expect(described?.image.original?.hash == StoredOriginal.moon.sha256)
  }

  private static let details: PictureDetails = {
    var details = PictureDetails()
    (details.camera, details.lens) = ("FUJIFILM X100V", "Fujinon 23mm F2")
    (details.exposure, details.aperture) = (4_000_000, 280)
    (details.sensitivity, details.focalLength) = (200, 3_500)
    details.taken = DateTaken(clock: 1_563_127_353_450, offset: 120)
    details.place = PicturePlace(latitude: 48_858_367, longitude: -2_294_450)
    return details
  }()

  @Test func `tells what the camera has written`() {
    presenter.presentDescribedImage(
      response: .init(image: .moon, original: .moon, details: Self.details)
    )

    let fields = described?.fields.filter {
      ["camera", "lens", "exposure", "taken", "place"].contains($0.name)
    }
    #expect(
      fields?.map(\.value) == [
        "FUJIFILM X100V", "Fujinon 23mm F2", "1/250 s, f/2.8, ISO 200, 35 mm",
        "2019-07-14 18:02:33 +02:00", "48.85837° N, 2.29445° W",
      ]
    )
    #expect(described?.image.camera == "FUJIFILM X100V")
    #expect(described?.image.lens == "Fujinon 23mm F2")
    #expect(described?.image.exposure == "1/250 s, f/2.8, ISO 200, 35 mm")
    #expect(described?.image.taken == "2019-07-14 18:02:33 +02:00")
  }

  @Test(arguments: [
    (125_000, "1/8000 s"), (4_000_000, "1/250 s"), (16_666_667, "1/60 s"), (250_000_000, "1/4 s"),
    (333_333_333, "0.3 s"), (500_000_000, "0.5 s"), (2_000_000_000, "2 s"),
    (30_000_000_000, "30 s"), (1_600_000_000, "1.6 s"),
  ])
  func `tells an exposure time as cameras do`(nanoseconds: Int64, text: String) {
    var details = PictureDetails()
    details.exposure = nanoseconds

    #expect(Wording.exposure(details) == text)
  }

  @Test(arguments: [(280, "f/2.8"), (800, "f/8"), (178, "f/1.78"), (105, "f/1.05"), (95, "f/0.95")])
  func `tells an aperture without zeros at its end`(hundredths: Int64, text: String) {
    var details = PictureDetails()
    details.aperture = hundredths

    #expect(Wording.exposure(details) == text)
  }

  @Test(arguments: [
    (DateTaken(clock: 0), "1970-01-01 00:00:00"), (DateTaken(clock: -1), "1969-12-31 23:59:59"),
    (DateTaken(clock: 0, offset: -570), "1970-01-01 00:00:00 -09:30"),
    (DateTaken(clock: 999, offset: 0), "1970-01-01 00:00:00 +00:00"),
  ])
  func `tells the time on the camera's clock`(taken: DateTaken, text: String) {
    #expect(Wording.clock(taken) == text)
  }

  @Test func `tells nothing of a camera that has written nothing`() {
    #expect(Wording.exposure(PictureDetails()) == nil)
    #expect(Wording.fields(of: PictureDetails()).allSatisfy { $0.1 == nil })
  }

  @Test(arguments: ["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x"])
  func `makes no link of a page's address that is not of the web`(address: String) {
    var image = WebImage.moon
    image.pageAddress = WebAddress(address)

    presenter.presentDescribedImage(response: .init(image: image))

    #expect(described?.image.pageAddress == nil)
  }

  private var described: ShowImage.DescribeImage.ViewModel? {
    if case .description(let viewModel) = display.events.last { viewModel } else { nil }
  }
}

extension Successor {
  /// A sign that came in the place of an original.
  fileprivate static let sign = Successor(
    kind: .original,
    info: PictureInfo(format: .png, bytes: 900, width: 161, height: 81),
    sha256: "01",
    address: WebImage.moon.originalAddress,
    arrived: Date(timeIntervalSince1970: 1_790_000_000),
    doubts: [.sign, .redirected, .smaller],
    source: .file(path: "/library/originals/01/01.png")
  )
}
