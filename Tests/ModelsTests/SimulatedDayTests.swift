import FoundationEssentials
import Models
import Testing

/// A day with a thousand new feeds, each requested whenever it is due.
struct SimulatedDayTests {
  private static let begin = Date(timeIntervalSince1970: 1_799_625_600)
  private static let day = 86_400.0

  /// A simulated feed that changes in some pattern, and its server.
  private struct SimulatedFeed {
    let id: Int64
    /// The usual seconds between two changes.
    let interval: Double
    /// The seconds of the day at which it changes.
    let changes: [Double]
    /// The intervals that its server and its document ask for, in seconds.
    let fresh: Double
    let timeToLive: Double

    init(id: Int64, using random: inout SeededRandom) {
      self.id = id
      let hours: [Double] = [1 / 12, 0.25, 0.5, 1, 2, 4, 8, 12, 24, 7 * 24, 30 * 24]
      let interval = Self.oneOf(hours, &random) * 3_600
      self.interval = interval
      fresh = Self.oneOf([0, 0, 0, 600, 3_600], &random)
      timeToLive = Self.oneOf([0, 0, 0, 3_600], &random)
      var time = Double.random(in: 0..<interval, using: &random)
      var changes: [Double] = []
      while time < SimulatedDayTests.day {
        let isNight = !(8..<20).contains(Int(time / 3_600))
        if id % 10 > 0 || !isNight { changes.append(time) }
        // The intervals are exact, roughly equal, or random.
        switch id % 3 {
        case 0: time += interval
        case 1: time += interval * .random(in: 0.5..<1.5, using: &random)
        default: time += interval * SeededRandom.exponential(using: &random)
        }
      }
      self.changes = changes
    }

    private static func oneOf(_ numbers: [Double], _ random: inout SeededRandom) -> Double {
      numbers[Int.random(in: 0..<numbers.count, using: &random)]
    }

    /// The ideal interval: the usual one, within the allowed limits and the intervals that server and document ask for.
    var hindsight: Double {
      max(min(interval, FeedSchedule.longest), FeedSchedule.shortest, fresh, timeToLive)
    }

    /// The seconds of the day, and of the days after it, at which the feed is requested.
    func questions() -> [Double] {
      var schedule = FeedSchedule(hints: UpdateHints(leastInterval: Int(timeToLive)))
      var times = [Double(id % 60)]
      var seen = -1
      while let time = times.last, time < 5 * SimulatedDayTests.day {
        let now = SimulatedDayTests.begin + time
        let count = changes.count { $0 <= time }
        schedule.take(
          count == seen ? .unchanged : .changed,
          ofFeed: id,
          allowed: fresh > 0 ? now + fresh : nil,
          now: now
        )
        seen = count
        times.append(schedule.due?.timeIntervalSince(SimulatedDayTests.begin) ?? time)
      }
      return times
    }
  }

  @Test func `changes are seen in time, and no server is asked more often than it allows`() {
    var random = SeededRandom(state: 1)
    var (all, inTime, questions, tooEarly) = (0, 0, 0, 0)
    for id in 1...1_000 {
      let feed = SimulatedFeed(id: Int64(id), using: &random)
      let times = feed.questions()
      questions += times.count { $0 < Self.day }
      let least = max(feed.fresh, feed.timeToLive)
      tooEarly += zip(times, times.dropFirst()).count { $1 - $0 < least }
      all += feed.changes.count
      inTime += feed.changes.count { change in
        times.contains { $0 >= change && $0 - change <= 1.5 * feed.hindsight }
      }
    }

    #expect(tooEarly == 0)
    #expect(Double(inTime) >= 0.95 * Double(all))
    // There are at most about twice as many requests as changes.
    #expect(questions < 2 * all)
  }
}

/// SplitMix64, which gives the same numbers in every run.
private struct SeededRandom: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// A number of the exponential distribution with mean 1, by von Neumann's method, which needs no logarithm.
  static func exponential(using random: inout SeededRandom) -> Double {
    var whole = 0.0
    while true {
      let first = Double.random(in: 0..<1, using: &random)
      var (last, length) = (first, 1)
      while case let next = Double.random(in: 0..<1, using: &random), next < last {
        (last, length) = (next, length + 1)
      }
      if length % 2 == 1 { return whole + first }
      whole += 1
    }
  }
}
