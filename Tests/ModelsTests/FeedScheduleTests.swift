import FoundationEssentials
import Models
import Testing

struct FeedScheduleTests {
  /// Midnight at the beginning of a Monday (UTC).
  private let monday = Date(timeIntervalSince1970: 1_799_625_600)
  private let minute = 60.0
  private let hour = 3_600.0
  private let day = 86_400.0

  @Test func `a folder is listed each minute, unless it fails or has an interval of its own`() {
    var feed = Feed(
      id: 1,
      address: WebAddress(filePath: "/photos/", relativeTo: "/"),
      lastSync: monday,
      status: .unchanged
    )
    #expect(feed.due == nil)
    feed.schedule.take(.unchanged, ofFeed: 1, allowed: nil, now: monday)
    #expect(feed.due == monday + minute)

    feed.status = .failed
    #expect(feed.due == feed.schedule.due)
    feed.status = .unchanged
    feed.schedule.givenInterval = 3_600
    #expect(feed.due == feed.schedule.due)
    feed.schedule.givenInterval = nil
    feed.address = WebAddress(filePath: "/photos/feed.xml", relativeTo: "/")
    #expect(feed.due == feed.schedule.due)
  }

  @Test func `a new feed is asked again soon, then less and less often`() {
    var schedule = FeedSchedule()

    let waits = waits(of: &schedule, [.changed] + Array(repeating: .unchanged, count: 40))

    #expect(waits[0...1].allSatisfy { near($0, 5 * minute) })
    #expect(zip(waits, waits.dropFirst()).allSatisfy { $0 < $1 * 1.1 })
    #expect(near(waits[40], FeedSchedule.longest))
  }

  @Test(arguments: [
    // The usual wait is an hour: the feed waits a day, or until the lease ends.
    (1.0, 240.0, 0, nil, 24.0), (1, 10, 0, nil, 10), (1, 0.5, 0, nil, 1),
    // The usual wait is longer than a day; the last sync failed; the time is fixed.
    (72, 240, 0, nil, 72), (1, 240, 1, nil, 1), (1, 240, 0, 3_600, 1),
  ])
  func `a feed of which a hub tells is asked a day later at the latest`(
    usual: Double,
    lease: Double,
    failures: Int,
    given: Int?,
    expected: Double
  ) throws {
    var feed = Feed(id: 1, address: try #require(WebAddress("https://a.b/")), lastSync: monday)
    feed.schedule = FeedSchedule(
      givenInterval: given,
      due: monday + usual * hour,
      failures: failures
    )
    #expect(feed.dueBesideHub == feed.due)

    feed.leaseEnd = monday + lease * hour

    #expect(feed.dueBesideHub == monday + expected * hour)
    feed.schedule.forget()
    #expect(feed.dueBesideHub == nil)
  }

  @Test(arguments: [10.0, 60, 1_440])
  func `a feed that changes regularly is asked in three quarters of that time`(minutes: Double) {
    let changes = (0..<6).map { monday + Double($0) * minutes * minute }
    var schedule = FeedSchedule(changes: changes.dropLast())

    schedule.take(.changed, ofFeed: 1, allowed: nil, now: changes[5])

    let wait = schedule.due?.timeIntervalSince(changes[5]) ?? 0
    #expect(near(wait, minutes * minute * 0.75))
  }

  @Test func `a quiet night does not change how often it is asked by day`() {
    let evening = (0..<5).map { monday + Double($0) * 20 * minute }
    let morning = monday + 12 * hour
    var schedule = FeedSchedule(changes: evening)

    schedule.take(.unchanged, ofFeed: 1, allowed: nil, now: morning)
    let atNight = schedule.due?.timeIntervalSince(morning) ?? 0
    schedule.take(.changed, ofFeed: 1, allowed: nil, now: morning)
    let byDay = schedule.due?.timeIntervalSince(morning) ?? 0

    #expect(atNight > 30 * minute && atNight < 45 * minute)
    #expect(near(byDay, 15 * minute))
  }

  @Test func `what the user fixes holds to the second, but for the server`() {
    var schedule = FeedSchedule(givenInterval: 1_800)
    schedule.hints = UpdateHints(leastInterval: 86_400, skippedHours: 1)

    schedule.take(.unchanged, ofFeed: 1, allowed: nil, now: monday)
    #expect(schedule.due == monday + 1_800)
    schedule.take(.unchanged, ofFeed: 1, allowed: monday + 7_200.5, now: monday)
    #expect(schedule.due == monday + 7_201)
  }

  @Test func `a document is not asked for more often than it wants`() {
    var schedule = FeedSchedule(hints: UpdateHints(leastInterval: 7_200))

    schedule.take(.changed, ofFeed: 1, allowed: nil, now: monday)

    let wait = schedule.due?.timeIntervalSince(monday) ?? 0
    #expect(wait >= 7_200 && wait <= 7_200 + 10 * minute)
  }

  @Test(
    arguments: [
      (UpdateHints(skippedHours: 0b1), 1.0), (UpdateHints(skippedHours: 0b111), 3),
      (UpdateHints(skippedDays: 0b1), 24), (UpdateHints(skippedHours: 0b11, skippedDays: 0b11), 50),
      (UpdateHints(skippedDays: 0b111_1101), 24), (UpdateHints(skippedHours: 0b10), 0),
      (UpdateHints(skippedDays: 0b10), 0), (UpdateHints(skippedDays: 0b111_1111), 0),
      (UpdateHints(skippedHours: 0xFF_FFFF), 0),
    ] as [(UpdateHints, Double)]
  )
  func `hours and days in which it does not change are left out, unless all are`(
    hints: UpdateHints,
    hours: Double
  ) {
    var schedule = FeedSchedule(hints: hints)

    schedule.take(.changed, ofFeed: 1, allowed: nil, now: monday)

    let wait = schedule.due?.timeIntervalSince(monday) ?? 0
    #expect(hours == 0 ? wait < hour : wait == hours * hour)
  }

  @Test func `each failure in a row doubles the wait, up to a day, and an answer ends that`() {
    var schedule = FeedSchedule()

    let failed = waits(of: &schedule, Array(repeating: .failed, count: 12))
    let answered = waits(of: &schedule, [.unchanged])

    #expect(near(failed[0], 5 * minute) && near(failed[3], 40 * minute) && near(failed[11], day))
    #expect(answered.allSatisfy { near($0, 5 * minute) })
  }

  @Test func `without a network the wait is an hour at most`() {
    var schedule = FeedSchedule()

    #expect(near(waits(of: &schedule, Array(repeating: .offline, count: 12))[11], hour))
  }

  @Test func `a date that no schedule has comes from a wrong clock`() {
    let address = WebAddress("https://stars.example/feed.xml")
    guard let address else { return #expect(address != nil) }
    var feed = Feed(id: 1, address: address)
    #expect(feed.isDue(at: monday))
    feed.schedule = FeedSchedule(due: monday + 1)
    #expect(!feed.isDue(at: monday))
    #expect(feed.isDue(at: monday + 1))
    feed.schedule = FeedSchedule(due: monday + 365 * day)
    #expect(feed.isDue(at: monday))
  }

  /// The waits of a feed after each outcome, if it is requested as soon as it is due.
  private func waits(
    of schedule: inout FeedSchedule,
    _ outcomes: [FeedSchedule.Outcome]
  ) -> [Double] {
    var now = monday
    return outcomes.map { outcome in
      schedule.take(outcome, ofFeed: 1, allowed: nil, now: now)
      let due = schedule.due ?? now
      defer { now = due }
      return due.timeIntervalSince(now)
    }
  }

  /// Whether the wait is this long, apart from jitter.
  private func near(_ wait: Double, _ seconds: Double) -> Bool {
    wait >= seconds && wait <= seconds * 1.1 + 1
  }
}
