import TestSupport
import Testing

@testable import Scenes
@testable import Workers

struct ProgressWordingTests {
  @Test func `tells what is being read while no picture is known`() {
    var progress = SyncProgress.Snapshot()
    progress.feeds = .init(done: 1, total: 3)
    progress.images = 1_200

    let text = "reading 1 of 3 feeds, 1,200 images"
    #expect(Wording.progressLine(progress) == ProgressLine(fraction: nil, text: text))
  }

  @Test func `tells pictures, rate and the time that is left`() {
    var progress = SyncProgress.Snapshot()
    progress.thumbnails = .init(done: 1_000, total: 4_000)
    progress.bytes = 20 << 20
    progress.elapsed = .seconds(10)

    let text = "1,000 of 4,000 thumbnails, 20.0 MB, 2.0 MB/s, 30 s left"
    #expect(Wording.progressLine(progress) == ProgressLine(fraction: 0.25, text: text))
  }

  @Test func `counts thumbnails and originals together as pictures`() {
    var progress = SyncProgress.Snapshot()
    progress.thumbnails = .init(done: 30, total: 30)
    progress.originals = .init(done: 10, total: 50)
    progress.bytes = 1 << 20
    progress.elapsed = .seconds(1)

    let text = "40 of 80 pictures, 1.0 MB, 1.0 MB/s, 1.0 s left"
    #expect(Wording.progressLine(progress) == ProgressLine(fraction: 0.5, text: text))
  }

  @Test(arguments: [(0, 0), (5, 0.05), (100, 1)])
  func `guesses no time at the beginning and at the end`(_ done: Int, _ fraction: Double) {
    var progress = SyncProgress.Snapshot()
    progress.thumbnails = .init(done: done, total: 100)
    progress.elapsed = .seconds(1)

    let text = "\(done) of 100 thumbnails, 0 B, 0 B/s"
    #expect(Wording.progressLine(progress) == ProgressLine(fraction: fraction, text: text))
  }

  @Test(arguments: [
    (0, 4_194_304 as Int?, 0 as Double?, "0 B of 4.0 MB"),
    (4_194_304, 4_194_304, 1, "4.0 MB of 4.0 MB"),
    (5_242_880, 4_194_304, 1, "5.0 MB of 4.0 MB"),
    (65_536, 0, nil, "64.0 KB"),
    (65_536, nil, nil, "64.0 KB"),
  ])
  func `tells how far an original is`(
    _ received: Int,
    _ total: Int?,
    _ fraction: Double?,
    _ text: String
  ) {
    let line = ProgressLine(fraction: fraction, text: text)

    #expect(Wording.progressLine(received: received, total: total) == line)
  }
}
