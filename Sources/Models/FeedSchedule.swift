package import FoundationEssentials

/// The times at which a program that keeps running asks for a feed.
///
/// The time between two questions is learned from the last changes, within what the server and the document
/// allow. See Documentation/Sync.md, "A sync that keeps running".
package struct FeedSchedule: Sendable, Equatable {
  /// The result of a request for the feed.
  package enum Outcome: Sendable {
    case changed
    case unchanged
    case failed
    /// The request did not reach the server; the user's own network may be down.
    case offline
  }

  /// The shortest and the longest learned interval, in seconds.
  package static let shortest = 300.0
  package static let longest = 3 * 86_400.0
  /// The interval at which a folder of pictures is listed, in seconds.
  static let ofFolder = 60.0
  private static let longestAfterFailure = 86_400.0
  private static let longestOffline = 3_600.0
  private static let longestJitter = 600.0
  private static let changesKept = 6
  private static let gapsToLearnFrom = 3

  /// The interval that the user has set, in seconds; nil to learn it.
  package var givenInterval: Int?
  /// The document's own wishes for its requests.
  package var hints: UpdateHints
  /// The time of the next request; nil for immediately.
  package private(set) var due: Date?
  /// The number of consecutive failed requests.
  package private(set) var failures: Int
  /// The last times at which the feed was found changed, oldest first; the first sync counts as a change.
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

  /// Records the result of a request, and schedules the next one.
  ///
  /// - Parameters:
  ///   - outcome: The result.
  ///   - id: The feed, which determines its jitter, so that requests for different feeds spread over time.
  ///   - allowed: The date before which the server does not want to be asked again.
  ///   - now: The end of the request.
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
    // The store keeps whole seconds; rounding up never makes a request too early.
    due = Date(timeIntervalSince1970: next.timeIntervalSince1970.rounded(.up))
  }

  /// Makes the feed due immediately, for example after its removal.
  package mutating func forget() { (due, failures) = (nil, 0) }

  private mutating func note(_ outcome: Outcome, _ now: Date) {
    switch outcome {
    case .failed, .offline: failures = failures.adding(1)
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

  /// The shortest interval, doubled with each further failure in a row.
  private var doubled: Double { Self.shortest * Double(1 << min(max(failures, 1) - 1, 20)) }

  /// Three quarters of the median time between two changes, so that a later change is seen within that time.
  ///
  /// With fewer than three such times, it is half of the time since the last change. While a feed is quieter than
  /// usual, for example at night, it grows slowly.
  private func learned(at now: Date) -> Double {
    guard let last = changes.last else { return Self.shortest }
    let quiet = now.timeIntervalSince(last)
    let gaps = zip(changes.dropFirst(), changes).map { $0.timeIntervalSince($1) }.sorted()
    let wait =
      gaps.count < Self.gapsToLearnFrom
      ? quiet / 2 : max(gaps[(gaps.count - 1) / 2] * 0.75, quiet / 20)
    return min(max(wait, Self.shortest), Self.longest)
  }

  /// A number from 0 to 1, which is the same for the same feed and time.
  private static func fraction(_ id: Int64, _ now: Date) -> Double {
    let seconds = UInt64(bitPattern: Int64(now.timeIntervalSince1970.rounded()))
    var mixed = UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15 ^ seconds
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    return Double((mixed ^ mixed >> 31) >> 11) / 0x1p53
  }
}

extension Feed {
  /// The time at which a program that keeps running asks for it; nil for immediately.
  ///
  /// A folder costs no server anything, so it is listed each minute, unless the program watches it.
  package var due: Date? {
    guard let due = schedule.due ?? nextSync else { return nil }
    guard isOwnFolder, status != .failed, let lastSync else { return due }
    return min(due, lastSync.addingTimeInterval(FeedSchedule.ofFolder))
  }

  /// Whether it is a folder of pictures whose interval the user has not set.
  package var isOwnFolder: Bool {
    address.isFolder && gallery == nil && schedule.givenInterval == nil
  }

  /// The time at which a program that is told of changes in the folder lists it without one; nil for immediately.
  ///
  /// The usual schedule applies after a failure, and while a file cannot be read, or is half written.
  package var dueWhileWatched: Date? {
    guard let due, let lastSync, isWhole, status != .failed else { return due }
    return max(due, lastSync.addingTimeInterval(Self.pollSeconds))
  }

  /// Whether that time has come; a date later than any schedule allows comes from a wrong clock, and counts as due.
  package func isDue(at now: Date) -> Bool { isDue(due, at: now) }

  /// The same for another date at which it may be due.
  package func isDue(_ due: Date?, at now: Date) -> Bool {
    guard let due else { return true }
    let longest = max(FeedSchedule.longest, Double(schedule.givenInterval ?? 0)) + 8 * 86_400
    return due <= now || due.timeIntervalSince(now) > longest
  }

  /// Whether a program that keeps running asks for it.
  package var isWatched: Bool { gallery == nil && !isPaused && !address.isPiped }
}

/// The wishes of an RSS 2.0 document for its requests: `ttl`, `skipHours` and `skipDays`.
package struct UpdateHints: Sendable, Equatable {
  /// The shortest interval, in seconds.
  package var leastInterval: Int
  /// A bit for each hour of the day (UTC) to skip; the lowest is the hour after midnight.
  package var skippedHours: Int
  /// A bit for each day of the week to skip; the lowest is Monday.
  package var skippedDays: Int

  package init(leastInterval: Int = 0, skippedHours: Int = 0, skippedDays: Int = 0) {
    self.leastInterval = min(max(leastInterval, 0), Int(FeedSchedule.longest))
    self.skippedHours = skippedHours
    self.skippedDays = skippedDays
  }

  /// The first moment from a date on that is not in a skipped hour; the date itself when all are skipped.
  func permitted(from date: Date) -> Date {
    if skippedHours == 0, skippedDays == 0 { return date }
    let hour = Int((date.timeIntervalSince1970 / 3_600).rounded(.down))
    guard let next = (hour...hour + 7 * 24).first(where: { !isSkipped($0) }) else { return date }
    return next == hour ? date : Date(timeIntervalSince1970: Double(next) * 3_600)
  }

  /// Whether to skip an hour, counted from the beginning of 1970, which was a Thursday.
  private func isSkipped(_ hour: Int) -> Bool {
    let day = (hour / 24 + 3) % 7
    return skippedHours >> (hour % 24) & 1 == 1 || skippedDays >> day & 1 == 1
  }
}
