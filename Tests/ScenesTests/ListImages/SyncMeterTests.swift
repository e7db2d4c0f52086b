import Testing
import Workers

@testable import Scenes

struct SyncMeterTests {
  private var meter = SyncMeter()

  @Test func `measures from the beginning at first`() {
    var meter = meter

    let pace = meter.pace(at: snapshot(seconds: 2, bytes: 1_000, thumbnails: 4))

    #expect(pace == SyncMeter.Pace(bytesPerSecond: 500, picturesPerSecond: 2, idle: .zero))
  }

  @Test func `measures the last seconds and forgets what was before`() {
    var meter = meter
    // A fast beginning, then a tenth of it.
    for second in 1...10 { _ = meter.pace(at: snapshot(seconds: second, bytes: second * 1_000)) }
    var pace = SyncMeter.Pace()
    for second in 11...30 {
      pace = meter.pace(at: snapshot(seconds: second, bytes: 9_000 + second * 100))
    }

    #expect(pace.bytesPerSecond == 100)
  }

  @Test func `falls to nothing when nothing comes`() {
    var meter = meter
    _ = meter.pace(at: snapshot(seconds: 1, bytes: 5_000, thumbnails: 5))
    var pace = SyncMeter.Pace()
    for second in 2...20 {
      pace = meter.pace(at: snapshot(seconds: second, bytes: 5_000, thumbnails: 5))
    }

    #expect(pace == SyncMeter.Pace(idle: .seconds(19)))
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
    var pace = SyncMeter.Pace()
    for tenth in 1...1_000 {
      var progress = snapshot(seconds: 0, bytes: tenth * 10)
      progress.elapsed = .milliseconds(100 * tenth)
      pace = meter.pace(at: progress)
    }

    #expect(abs(pace.bytesPerSecond - 100) < 0.001)
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
