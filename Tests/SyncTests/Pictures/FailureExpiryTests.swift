import FoundationEssentials
import Testing
import Workers

struct FailureExpiryTests {
  private func days(_ failureClass: FailureClass, tries: Int) -> Double {
    let failed = SyncBench.now
    let retry = FailureExpiry.retryDate(failureClass, tries: tries, failed: failed)
    return retry.timeIntervalSince(failed) / 86_400
  }

  @Test func `an offline failure has expired with the next sync, however often it came`() {
    #expect(days(.offline, tries: 1) == 0)
    #expect(days(.offline, tries: 9) == 0)
  }

  @Test func `a transient one holds ten minutes, then twice as long, at most a day`() {
    let minutes = [1, 2, 3, 8, 9, 1_000].map { days(.transient, tries: $0) * 1_440 }
    #expect(minutes == [10, 20, 40, 1_280, 1_440, 1_440])
  }

  @Test func `a permanent one holds five days, then twice as long, at most thirty`() {
    #expect([1, 2, 3, 4, 1_000].map { days(.permanent, tries: $0) } == [5, 10, 20, 30, 30])
  }

  @Test func `a pause that a host asked for holds as long as it asked`() {
    let picture = FailedPicture(
      imageID: 1,
      address: .thumbnail("moon"),
      failureClass: .transient,
      reason: "paused",
      failed: SyncBench.now,
      pausedUntil: SyncBench.now + 7
    )
    #expect(picture.retryDate(tries: 5) == SyncBench.now + 7)
  }
}
