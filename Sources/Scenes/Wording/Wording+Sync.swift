import Models
import Workers

extension Wording {
  /// A note that a sync was interrupted; nil otherwise.
  static func endOfSync(_ response: SyncFeeds.Ended.Response) -> String? {
    guard response.isInterrupted else { return nil }
    return response.isDryRun
      ? "interrupted — a dry run changes nothing"
      : "interrupted — gallery has stored what arrived, and the next sync continues from here"
  }

  /// The feeds that a watch follows, and the time when it asks for the next one.
  static func watch(_ response: SyncFeeds.Watch.Response) -> String {
    let feeds = "following \(count(response.feeds, "feed"))"
    return response.next.map {
      "\(feeds), the next is asked at \(localTime($0, rounded: .up))"
    } ?? feeds
  }

  /// The result of a sync for one feed, in a line.
  static func summary(_ summary: FeedSyncSummary, withAddress: Bool = false) -> HintedText {
    let address = summary.address.masked
    let name = quoted(summary.feed?.title ?? address) + (withAddress ? " (\(address))" : "")
    let verb =
      summary.isDryRun && summary.status == .updated ? "would update" : summary.status.rawValue
    let isGallery = summary.feed?.isGallery == true
    let content =
      summary.list.map(feeds)
      ?? images(
        summary.images,
        lost: isGallery ? "removed" : "gone",
        kept: isGallery ? nil : summary.feed?.retention.images
      )
    return "\(verb) \(name): \(content)\(rest(of: summary))"
  }

  private static func feeds(_ list: ListedFeeds) -> String {
    let changes = parts([(list.new, "new"), (list.lost.count, "no longer listed")])
    return ([count(list.total, "feed")] + changes).joined(separator: ", ")
  }

  /// The sums of several feeds, in a line.
  static func totals(_ tally: SyncTally, isDryRun: Bool) -> String {
    let feeds = parts([
      (tally.feeds[.updated] ?? 0, isDryRun ? "to update" : "updated"),
      (tally.feeds[.unchanged] ?? 0, "unchanged"), (tally.feeds[.failed] ?? 0, "failed"),
    ])
    let waiting = isDryRun ? "to fetch" : "waiting"
    let parts = [
      "\(count(tally.feedCount, "feed")): \(feeds.joined(separator: ", "))",
      images(tally.images),
      pictures(tally.thumbnails, "thumbnail", waiting: waiting),
      pictures(tally.originals, "original", waiting: waiting),
      tally.bytes > 0 ? "\(size(tally.bytes)) in \(duration(tally.duration))" : nil,
    ].compactMap(\.self)
    return parts.joined(separator: "; ")
  }

  /// A summary of the failed thumbnails and one of the failed originals, each only if there are any.
  static func failures(_ groups: [FailureGroup]) -> [HintedText] {
    let originals = groups.filter { $0.kind == .original }
    let thumbnails = groups.filter { $0.kind != .original }
    return [failures(thumbnails, "thumbnail"), failures(originals, "original")].compactMap(\.self)
  }

  /// The number of pictures that failed recently, the most frequent reason, and the time of the retry; nil without any.
  static func failures(_ groups: [FailureGroup], _ noun: String) -> HintedText? {
    guard let first = groups.first, let retry = groups.map(\.retry).min() else { return nil }
    let number = groups.reduce(0) { $0 + $1.count }
    let others = groups.count - 1
    let more = others > 0 ? " (and \(count(others, "other reason")))" : ""
    return """
      \(count(number, noun)) failed lately: \(clause(first.reason))\(more), tried again from \
      \(localTime(retry, rounded: .up)) on, \(.retryNow)
      """
  }

  /// The numbers of images; `lost` is the word for those that are gone, which a gallery calls "removed".
  ///
  /// `kept` is the number of newest images that the library keeps of the feed.
  private static func images(
    _ counts: ImageCounts,
    lost: String = "gone",
    kept: Int? = nil
  ) -> String {
    let changes = parts([(counts.new, "new"), (counts.changed, "changed"), (counts.gone, lost)])
    let total = count(counts.total, "image")
    let bound = kept.flatMap { $0 < counts.total ? " (the newest \(grouped($0)) kept)" : nil } ?? ""
    return (["\(total)\(bound)"] + changes).joined(separator: ", ")
  }

  private static func rest(of summary: FeedSyncSummary) -> HintedText {
    let parts: [HintedText?] = [
      summary.isLimited ? "only the part of the gallery that its token shows" : nil,
      pictures(summary.thumbnails, "thumbnail", waiting: waiting(summary)).map { "\($0)" },
      failures(summary.thumbnails.heldBack, "thumbnail"),
      pictures(summary.originals, "original", waiting: waiting(summary)).map { "\($0)" },
      failures(summary.originals.heldBack, "original"),
      doubtful(summary.doubtful),
      summary.bytes > 0 ? "\(size(summary.bytes)) in \(duration(summary.duration))" : nil,
    ]
    return parts.compactMap(\.self).map { "; \($0)" }.joined(separator: "")
  }

  /// The images whose newer pictures do not replace the stored ones; nil without any.
  private static func doubtful(_ ids: [Int64]) -> HintedText? {
    guard let first = ids.first else { return nil }
    let named = ids.prefix(namedImages).map(String.init).joined(separator: ", ")
    let more = ids.count > namedImages ? " and \(grouped(ids.count - namedImages)) more" : ""
    return """
      \(count(ids.count, "newer picture")) kept beside the stored ones of \
      \(ids.count == 1 ? "image" : "images") \(named)\(more) — \(.takeNewer(imageID: first))
      """
  }

  /// The most images that a summary names.
  private static let namedImages = 5

  private static func waiting(_ summary: FeedSyncSummary) -> String {
    summary.isDryRun ? "to fetch" : "waiting"
  }

  private static func pictures(
    _ counts: TransferCounts,
    _ noun: String,
    waiting: String
  ) -> String? {
    let others = counts.waiting - counts.heldBack.reduce(0) { $0 + $1.count }
    let parts = [
      (counts.stored, "stored"), (counts.failed, "failed"), (others, waiting),
    ].filter { $0.0 > 0 }
    guard let (number, word) = parts.first else { return nil }
    // Only the first part names the pictures that are counted.
    let rest = parts.dropFirst().map { ", \(grouped($0.0)) \($0.1)" }
    let bytes = counts.waitingBytes > 0 ? " (\(size(counts.waitingBytes)) declared)" : ""
    return "\(count(number, noun)) \(word)" + rest.joined() + bytes
  }

  // MARK: Timings

  /// The title of a table with the phases of a sync.
  static func titleOfTimings(_ whole: Duration) -> String {
    "where \(thousandths(whole)) went — what runs at the same time is summed up, so the parts do not add up to it"
  }

  static func name(of phase: SyncPhase) -> String {
    switch phase {
    case .queueing: "queueing"
    case .lookingUp: "looking up"
    case .connecting: "connecting"
    case .securing: "securing"
    case .waiting: "waiting"
    case .receiving: "receiving"
    case .parsing: "parsing"
    case .decoding: "decoding"
    case .storing: "storing"
    case .committing: "committing"
    case .flushing: "flushing"
    case .filing: "filing"
    }
  }

  /// The work of a phase.
  static func detail(of phase: SyncPhase, _ counts: SyncCounts) -> String {
    switch phase {
    case .queueing: "requests that wait for their turn at a host"
    case .lookingUp: "names of hosts"
    case .connecting: "\(count(counts.connections, "connection")) opened"
    case .securing: "agreeing on TLS"
    case .waiting: requests(counts)
    case .receiving: "\(size(counts.bytes)) over the network"
    case .parsing: "\(count(counts.documents, "document")), \(count(counts.images, "image"))"
    case .decoding: "\(count(counts.pictures, "picture")) made smaller"
    case .storing: "\(count(counts.rows, "row")) written"
    case .committing: count(counts.transactions, "transaction")
    case .flushing: "\(count(counts.flushes, "time")) all brought to the disk"
    case .filing:
      "\(count(counts.originals, "original")) kept, \(size(counts.originalBytes)) written"
    }
  }

  private static func requests(_ counts: SyncCounts) -> String {
    let requests = "\(count(counts.requests, "request")), \(count(counts.responses, "response"))"
    return counts.unchanged > 0 ? "\(requests), \(grouped(counts.unchanged)) unchanged" : requests
  }
}

// MARK: Progress

extension Wording {
  /// The text while a sync is stopping.
  static let stopping = "stopping — storing what has arrived; interrupt again to end at once"

  /// The progress of a sync: the parts done, the rate, and the time left.
  ///
  /// The bar shows the pictures, once their number is known or can be estimated. A wait comes first, so that it is not
  /// cut off, and so that a sync that waits does not look finished.
  static func progressLine(
    _ progress: SyncProgress.Snapshot,
    _ pace: ProgressMeter.Pace
  ) -> ProgressLine {
    let isMoving = progress.bytes > 0
    return ProgressLine(
      fraction: pace.fraction,
      parts: [
        (wait(of: progress, pace) ?? wait(pace), 0),
        (progress.feeds.total > 1 ? part(progress.feeds, "feed") : nil, 3),
        (pictures(progress), 0),
        (isMoving ? size(progress.bytes) : nil, 4),
        (isMoving ? rate(pace) : nil, 2),
        (timeLeft(of: progress, pace), 1),
      ]
    )
  }

  /// The progress of one original.
  static func progressLine(
    received: Int,
    total: Int?,
    _ pace: ProgressMeter.Pace,
    waiting waited: ShowImage.FetchOriginal.Progress.Wait? = nil
  ) -> ProgressLine {
    let whole = total.flatMap { $0 > 0 ? SyncProgress.Part(done: received, total: $0) : nil }
    return ProgressLine(
      fraction: pace.fraction,
      parts: [
        (waited.map { wait($0.cause, left: $0.left) } ?? wait(pace), 0),
        (whole.map { "\(size(received)) of \(size($0.total))" } ?? size(received), 0),
        (rate(pace), 2),
        (whole.flatMap { timeLeft(of: $0, perSecond: pace.bytesPerSecond, pace) }, 1),
      ]
    )
  }

  /// Why the server of a feed is asked again, and when; nil while something else arrives.
  private static func wait(
    of progress: SyncProgress.Snapshot,
    _ pace: ProgressMeter.Pace
  ) -> String? {
    guard progress.feeds.total <= 1 || pace.idle >= longWait,
      let wait = progress.waits.values.min(by: { $0.end < $1.end })
    else { return nil }
    return self.wait(wait.cause, left: wait.end - progress.elapsed)
  }

  private static func wait(_ cause: NetworkWaits.Wait, left: Duration) -> String {
    let reason = cause.status.map { "answered \($0)" } ?? cause.cause.map(reason) ?? "no answer"
    let left = Int(saturating: max(0, seconds(left).rounded(.up)))
    let time = left < 60 ? "\(left) s" : duration(.seconds(left))
    return "\(reason), tries again in \(time) (\(cause.retry) of \(cause.retries))"
  }

  private static func wait(_ pace: ProgressMeter.Pace) -> String? {
    pace.idle >= longWait ? "nothing arrived for \(duration(pace.idle))" : nil
  }

  private static func rate(_ pace: ProgressMeter.Pace) -> String? {
    pace.idle >= longWait ? nil : "\(size(Int(saturating: pace.bytesPerSecond)))/s"
  }

  private static func pictures(_ progress: SyncProgress.Snapshot) -> String {
    let pictures = progress.pictures
    let reading = "reading \(count(progress.images, "image"))"
    if pictures.total == 0 { return reading }
    if let whole = progress.whole {
      return part(whole, noun(progress), isEstimate: !progress.isCounted)
    }
    let done = count(pictures.done, noun(progress))
    return progress.images > 0 ? "\(reading), \(done)" : done
  }

  private static func noun(_ progress: SyncProgress.Snapshot) -> String {
    progress.originals.total > 0 ? "picture" : "thumbnail"
  }

  private static func part(
    _ part: SyncProgress.Part,
    _ noun: String,
    isEstimate: Bool = false
  ) -> String {
    "\(grouped(part.done)) of \(isEstimate ? "about " : "")\(count(part.total, noun))"
  }

  /// The time left.
  ///
  /// Originals take much longer than thumbnails. So while originals are missing, only their own pace counts.
  private static func timeLeft(
    of progress: SyncProgress.Snapshot,
    _ pace: ProgressMeter.Pace
  ) -> String? {
    guard let whole = progress.whole else { return nil }
    return progress.originals.total > progress.originals.done
      ? timeLeft(of: progress.originals, perSecond: pace.originalsPerSecond, pace)
      : timeLeft(of: whole, perSecond: pace.picturesPerSecond, pace)
  }

  /// The time left; nil until a twentieth is done, because it would only be a guess before.
  private static func timeLeft(
    of part: SyncProgress.Part,
    perSecond: Double,
    _ pace: ProgressMeter.Pace
  ) -> String? {
    guard part.done > part.total / 20, part.done < part.total, perSecond > 0,
      pace.idle < longWait
    else { return nil }
    let seconds = Double(part.total - part.done) / perSecond
    return "\(duration(.seconds(seconds))) left"
  }

  /// The idle time from which the line mentions a wait.
  private static let longWait = Duration.seconds(3)
}
