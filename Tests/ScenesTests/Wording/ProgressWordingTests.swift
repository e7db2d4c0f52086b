import TestSupport
import Testing
import Workers

@testable import Scenes

struct ProgressWordingTests {
  private var progress = SyncProgress.Snapshot()

  init() {
    progress.feeds.total = 1
    progress.feedsCounted = 1
  }

  @Test func `tells what is being read while no picture is known`() {
    var progress = progress
    progress.feedsCounted = 0
    progress.images = 1_200

    let line = ProgressLine(fraction: nil, text: "reading 1,200 images")
    #expect(Wording.progressLine(progress, .init()) == line)
  }

  @Test func `tells pictures, rate and the time that is left of one feed`() {
    var progress = progress
    progress.thumbnails = .init(done: 1_000, total: 4_000)
    progress.bytes = 20 << 20

    let pace = ProgressMeter.Pace(
      bytesPerSecond: 2 * 0x1p20,
      picturesPerSecond: 100,
      fraction: 0.25
    )
    let text = "1,000 of 4,000 thumbnails, 20.0 MiB, 2.0 MiB/s, 30 s left"
    var line = ProgressLine(fraction: 0.25, text: text)
    line.shorter = [
      "1,000 of 4,000 thumbnails, 2.0 MiB/s, 30 s left", "1,000 of 4,000 thumbnails, 30 s left",
      "1,000 of 4,000 thumbnails",
    ]
    #expect(Wording.progressLine(progress, pace) == line)
  }

  @Test func `only counts while some of several feeds are uncounted`() {
    var progress = progress
    progress.feeds = .init(done: 5, total: 20)
    progress.feedsCounted = 7
    progress.thumbnails = .init(done: 65, total: 280)
    progress.bytes = 3 << 20

    let pace = ProgressMeter.Pace(bytesPerSecond: 0x1p20, picturesPerSecond: 1)
    let text = "5 of 20 feeds, 65 thumbnails, 3.0 MiB, 1.0 MiB/s"
    let line = Wording.progressLine(progress, pace)
    #expect(line.text == text)
    #expect(line.fraction == nil)
    progress.feedsCounted = 8
    #expect(
      Wording.progressLine(progress, pace).text
        == "5 of 20 feeds, 65 of about 700 thumbnails, 3.0 MiB, 1.0 MiB/s, 10 min 35 s left"
    )
    progress.feedsCounted = 20
    #expect(
      Wording.progressLine(progress, pace).text
        == "5 of 20 feeds, 65 of 280 thumbnails, 3.0 MiB, 1.0 MiB/s, 3 min 35 s left"
    )
  }

  @Test func `tells by the pace of originals alone when they will be here`() {
    var progress = progress
    progress.thumbnails = .init(done: 50, total: 50)
    progress.originals = .init(done: 10, total: 50)
    let pace = ProgressMeter.Pace(picturesPerSecond: 20, originalsPerSecond: 2)

    #expect(Wording.progressLine(progress, pace).text == "60 of 100 pictures, 20 s left")
    progress.originals.done = 0
    #expect(Wording.progressLine(progress, pace).text == "50 of 100 pictures")
  }

  @Test func `counts thumbnails and originals together as pictures`() {
    var progress = progress
    progress.thumbnails = .init(done: 30, total: 30)
    progress.originals = .init(done: 10, total: 50)

    #expect(
      Wording.progressLine(progress, .init(fraction: 0.5))
        == ProgressLine(fraction: 0.5, text: "40 of 80 pictures")
    )
  }

  @Test func `tells for how long nothing has come, and no time left then`() {
    var progress = progress
    progress.thumbnails = .init(done: 50, total: 100)
    progress.bytes = 1 << 20
    var pace = ProgressMeter.Pace(bytesPerSecond: 10, picturesPerSecond: 1, idle: .seconds(12))

    let text = "nothing arrived for 12 s, 50 of 100 thumbnails, 1.0 MiB"
    #expect(Wording.progressLine(progress, pace).text == text)
    pace.idle = .milliseconds(2_999)
    #expect(Wording.progressLine(progress, pace).text.hasSuffix("10 B/s, 50 s left"))
  }

  @Test(arguments: [(0, 0.0), (5, 0.05), (100, 1)])
  func `guesses no time at the beginning and at the end`(_ done: Int, _ fraction: Double) {
    var progress = progress
    progress.thumbnails = .init(done: done, total: 100)

    #expect(
      Wording.progressLine(progress, .init(picturesPerSecond: 1, fraction: fraction))
        == ProgressLine(fraction: fraction, text: "\(done) of 100 thumbnails")
    )
  }

  @Test(arguments: [
    (0, 4_194_304 as Int?, "0 B of 4.0 MiB, 64.0 KiB/s"),
    (1_048_576, 4_194_304, "1.0 MiB of 4.0 MiB, 64.0 KiB/s, 48 s left"),
    (4_194_304, 4_194_304, "4.0 MiB of 4.0 MiB, 64.0 KiB/s"),
    (5_242_880, 4_194_304, "5.0 MiB of 4.0 MiB, 64.0 KiB/s"),
    (65_536, 0, "64.0 KiB, 64.0 KiB/s"),
    (65_536, nil, "64.0 KiB, 64.0 KiB/s"),
  ])
  func `tells how far an original is`(_ received: Int, _ total: Int?, _ text: String) {
    let pace = ProgressMeter.Pace(bytesPerSecond: 65_536)

    #expect(Wording.progressLine(received: received, total: total, pace).text == text)
  }

  @Test(
    arguments: [
      (500, nil, 4.0, "answered 500, tries again in 4 s (2 of 4), reading 0 images"),
      (429, nil, 61.5, "answered 429, tries again in 1 min 2 s (2 of 4), reading 0 images"),
      (
        nil, .connectionRefused, 0.2,
        "the server refuses connections, tries again in 1 s (2 of 4), reading 0 images"
      ),
      (nil, nil, -1, "no answer, tries again in 0 s (2 of 4), reading 0 images"),
    ] as [(Int?, NetworkError.Cause?, Double, String)]
  )
  func `tells why it asks a server again, and when`(
    status: Int?,
    cause: NetworkError.Cause?,
    seconds: Double,
    text: String
  ) {
    var progress = progress
    progress.elapsed = .seconds(10)
    let wait = NetworkWaits.Wait(
      status: status,
      cause: cause,
      delay: .seconds(5),
      retry: 2,
      retries: 4
    )
    progress.waits["a"] = .init(wait, end: .seconds(10 + seconds))

    #expect(Wording.progressLine(progress, .init()).text == text)
    // Other feeds may still bring something.
    progress.feeds.total = 2
    #expect(!Wording.progressLine(progress, .init()).text.contains("tries again"))
    #expect(Wording.progressLine(progress, .init(idle: .seconds(3))).text.contains("tries again"))
  }
}
