package import FoundationEssentials

/// When a program that keeps running asks for a feed.
///
/// The time between two questions is learned from the last changes, within what the server and the document
/// allow. See Documentation/Sync.md, "A sync that keeps running".
package struct FeedSchedule: Sendable, Equatable {
  /// How a question ended.
  package enum Outcome: Sendable {
    case changed
    case unchanged
    case failed
    /// It did not reach the server; the user's own network may be down.
    case offline
  }

  /// The shortest and the longest time that is learned, in seconds.
  package static let shortest = 300.0
  package static let longest = 3 * 86_400.0
  private static let longestAfterFailure = 86_400.0
  private static let longestOffline = 3_600.0
  private static let longestJitter = 600.0
  private static let changesKept = 6
  private static let gapsToLearnFrom = 3

  /// The seconds between two times that the user has fixed; nil to learn them.
  package var givenInterval: Int?
  /// What the document asks for.
  package var hints: UpdateHints
  /// The next time; nil to ask at once.
  package private(set) var due: Date?
  /// How many questions in a row have failed.
  package private(set) var failures: Int
  /// The last times at which it was found changed, oldest first; the first sync counts as a change.
  package private(set) var changes: [Date]

  package init(
    givenInterval: Int? = nil,
    hints: UpdateHints = UpdateHints(),
    due: Date? = nil,
    failures: Int = 0,
    changes: [Date] = []
  ) {
    self.givenInterval = givenInterval
    self.hints = hints
    self.due = due
    self.failures = failures
    self.changes = changes
  }

  /// Takes the end of a question, and decides on the next one.
  ///
  /// - Parameters:
  ///   - outcome: How it ended.
  ///   - id: The feed, so that feeds that were asked together are not always asked together.
  ///   - allowed: Before when the server does not want to be asked again.
  ///   - now: The time of the end.
  package mutating func take(_ outcome: Outcome, ofFeed id: Int64, allowed: Date?, now: Date) {
    note(outcome, now)
    var next = now.addingTimeInterval(wait(after: outcome, now))
    if let allowed { next = max(next, allowed) }
    if givenInterval == nil {
      next = max(next, now.addingTimeInterval(Double(hints.leastInterval)))
      let wait = next.timeIntervalSince(now)
      next += min(wait / 10, Self.longestJitter) * Self.fraction(id, now)
      next = hints.permitted(from: next)
    }
    // The store keeps whole seconds, and none may be too early.
    due = Date(timeIntervalSince1970: next.timeIntervalSince1970.rounded(.up))
  }

  /// Has it asked at once, as after its removal.
  package mutating func forget() { (due, failures) = (nil, 0) }

  private mutating func note(_ outcome: Outcome, _ now: Date) {
    switch outcome {
    case .failed, .offline: failures += 1
    case .changed, .unchanged:
      failures = 0
      guard outcome == .changed || changes.isEmpty else { return }
      changes = changes.suffix(Self.changesKept - 1) + [now]
    }
  }

  private func wait(after outcome: Outcome, _ now: Date) -> Double {
    switch outcome {
    case .offline: return min(doubled, Self.longestOffline)
    case .failed:
      return max(min(doubled, Self.longestAfterFailure), Double(givenInterval ?? 0))
    case .changed, .unchanged: return givenInterval.map(Double.init) ?? learned(at: now)
    }
  }

  /// The shortest time, doubled with each failure in a row.
  private var doubled: Double { Self.shortest * Double(1 << min(max(failures - 1, 0), 20)) }

  /// Three quarters of the usual time between two changes: a later change is then seen within that time.
  ///
  /// Without two changes to compare, it is half of the time since the first. It grows slowly while a feed is
  /// quieter than usual, as at night.
  private func learned(at now: Date) -> Double {
    guard let last = changes.last else { return Self.shortest }
    let quiet = now.timeIntervalSince(last)
    let gaps = zip(changes.dropFirst(), changes).map { $0.timeIntervalSince($1) }.sorted()
    let wait =
      gaps.count < Self.gapsToLearnFrom
      ? quiet / 2 : max(gaps[(gaps.count - 1) / 2] * 0.75, quiet / 20)
    return min(max(wait, Self.shortest), Self.longest)
  }

  /// From 0 to 1, the same for the same feed and time.
  private static func fraction(_ id: Int64, _ now: Date) -> Double {
    let seconds = UInt64(bitPattern: Int64(now.timeIntervalSince1970.rounded()))
    var mixed = UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15 ^ seconds
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    return Double((mixed ^ mixed >> 31) >> 11) / 0x1p53
  }
}

extension Feed {
  /// When a program that keeps running asks for it; nil to ask at once.
  package var due: Date? { schedule.due ?? nextSync }

  /// Whether that time has come; a date beyond any that a schedule has comes from a wrong clock.
  package func isDue(at now: Date) -> Bool { isDue(due, at: now) }

  /// The same for one of the times at which it may be due.
  package func isDue(_ due: Date?, at now: Date) -> Bool {
    guard let due else { return true }
    let longest = max(FeedSchedule.longest, Double(schedule.givenInterval ?? 0)) + 8 * 86_400
    return due <= now || due.timeIntervalSince(now) > longest
  }

  /// Whether a program that keeps running asks for it at all.
  package var isWatched: Bool { gallery == nil && !isPaused && !address.isPiped }
}

/// What a document says of when it is to be asked for: `ttl`, `skipHours` and `skipDays` of RSS 2.0.
package struct UpdateHints: Sendable, Equatable {
  /// The fewest seconds between two times.
  package var leastInterval: Int
  /// A bit for each hour of the day (UTC) in which it does not change; the lowest is the hour after midnight.
  package var skippedHours: Int
  /// A bit for each day of the week on which it does not change; the lowest is Monday.
  package var skippedDays: Int

  package init(leastInterval: Int = 0, skippedHours: Int = 0, skippedDays: Int = 0) {
    self.leastInterval = min(max(leastInterval, 0), Int(FeedSchedule.longest))
    self.skippedHours = skippedHours
    self.skippedDays = skippedDays
  }

  /// The first moment from a date on that is in no skipped hour; the date itself when all are skipped.
  func permitted(from date: Date) -> Date {
    if skippedHours == 0, skippedDays == 0 { return date }
    let hour = Int((date.timeIntervalSince1970 / 3_600).rounded(.down))
    guard let next = (hour...hour + 7 * 24).first(where: { !isSkipped($0) }) else { return date }
    return next == hour ? date : Date(timeIntervalSince1970: Double(next) * 3_600)
  }

  /// Takes an hour since the beginning of 1970, which was a Thursday.
  private func isSkipped(_ hour: Int) -> Bool {
    let day = (hour / 24 + 3) % 7
    return skippedHours >> (hour % 24) & 1 == 1 || skippedDays >> day & 1 == 1
  }
}
