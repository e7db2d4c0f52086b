import Testing
import Workers

@testable import Scenes

struct ProgressMeterTests {
  private var meter = ProgressMeter()

  @Test func `measures from the beginning at first`() {
    var meter = meter

    let pace = meter.pace(at: snapshot(seconds: 2, bytes: 1_000, thumbnails: 4))

    #expect(pace == ProgressMeter.Pace(bytesPerSecond: 500, picturesPerSecond: 2, idle: .zero))
  }

  @Test func `measures the last seconds and forgets what was before`() {
    var meter = meter
    // A fast beginning, then a tenth of the speed.
    for second in 1...10 { _ = meter.pace(at: snapshot(seconds: second, bytes: second * 1_000)) }
    var pace = ProgressMeter.Pace()
    for second in 11...30 {
      pace = meter.pace(at: snapshot(seconds: second, bytes: 9_000 + second * 100))
    }

    #expect(pace.bytesPerSecond == 100)
  }

  @Test func `falls to nothing when nothing comes`() {
    var meter = meter
    _ = meter.pace(at: snapshot(seconds: 1, bytes: 5_000, thumbnails: 5))
    var pace = ProgressMeter.Pace()
    for second in 2...20 {
      pace = meter.pace(at: snapshot(seconds: second, bytes: 5_000, thumbnails: 5))
    }

    #expect(pace == ProgressMeter.Pace(idle: .seconds(19)))
  }

  @Test func `takes anything that moves for something that came`() {
    var meter = meter
    _ = meter.pace(at: snapshot(seconds: 1))
    var progress = snapshot(seconds: 9)
    progress.images = 1

    #expect(meter.pace(at: progress).idle == .zero)
  }

  @Test func `looks as often as it likes`() {
    var meter = meter
    var pace = ProgressMeter.Pace()
    for tenth in 1...1_000 {
      var progress = snapshot(seconds: 0, bytes: tenth * 10)
      progress.elapsed = .milliseconds(100 * tenth)
      pace = meter.pace(at: progress)
    }

    #expect(abs(pace.bytesPerSecond - 100) < 0.001)
  }

  @Test func `knows the part that is done once all is counted, and never takes it back`() {
    var meter = meter
    var progress = snapshot(seconds: 1, thumbnails: 9)
    progress.feeds.total = 2
    progress.thumbnails.total = 10
    let uncounted = meter.pace(at: progress).fraction
    progress.feedsCounted = 2
    let counted = meter.pace(at: progress).fraction
    progress.thumbnails.total = 18
    let grown = meter.pace(at: progress).fraction
    progress.thumbnails.done = 18

    #expect([uncounted, counted, grown] == [nil, 0.9, 0.9])
    #expect(meter.pace(at: progress).fraction == 1)
  }

  @Test func `estimates the whole of many feeds once eight are counted`() {
    var meter = meter
    var progress = snapshot(seconds: 1, thumbnails: 20)
    progress.feeds.total = 100
    progress.thumbnails.total = 160
    let fractions = [7, 8, 50, 100].map { counted in
      progress.feedsCounted = counted
      return meter.pace(at: progress).fraction
    }

    #expect(fractions == [nil, 0.01, 0.0625, 0.125])
  }

  @Test func `measures a transfer from what was here before it`() {
    let start = ContinuousClock.now
    var meter = TransferMeter(received: 1 << 30, total: 2 << 30, at: start)
    meter.take(received: (1 << 30) + 2_000, total: 2 << 30, at: start + .seconds(2))

    let lines = [4, 4, 9].map { meter.line(at: start + .seconds($0)) }
    #expect(lines[0]?.text.contains(", 500 B/s, ") == true)
    #expect(lines[1] == nil)
    #expect(lines[2]?.text.hasPrefix("nothing arrived for 5.0 s, ") == true)
  }

  private func snapshot(
    seconds: Int,
    bytes: Int = 0,
    thumbnails: Int = 0
  ) -> SyncProgress.Snapshot {
    var snapshot = SyncProgress.Snapshot()
    snapshot.elapsed = .seconds(seconds)
    snapshot.bytes = bytes
    snapshot.thumbnails.done = thumbnails
    return snapshot
  }
}
