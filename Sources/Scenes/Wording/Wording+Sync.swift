import Models
import Workers

extension Wording {
  /// What is left to say when a sync has ended; nil when the summaries say it all.
  static func endOfSync(_ response: ListImages.SyncFeeds.Ended.Response) -> String? {
    guard response.isInterrupted else { return nil }
    return response.isDryRun
      ? "interrupted — nothing is changed by a dry run"
      : "interrupted — what came is stored, and the next sync goes on from here"
  }

  /// What a sync did for one feed, or would do, in a line.
  static func summary(_ summary: FeedSyncSummary) -> String {
    let name = quoted(summary.feed?.title ?? summary.address.masked)
    let verb =
      summary.isDryRun && summary.status == .updated ? "would update" : summary.status.rawValue
    let content = summary.list.map(feeds) ?? images(summary.images)
    return "\(verb) \(name): \(content)" + rest(of: summary)
  }

  private static func feeds(_ list: ListedFeeds) -> String {
    let changes = [part(list.new, "new"), part(list.lost.count, "no longer listed")]
    return ([count(list.total, "feed")] + changes.compactMap(\.self)).joined(separator: ", ")
  }

  /// What several feeds come to together, in a line.
  static func totals(_ tally: SyncTally, isDryRun: Bool) -> String {
    let feeds = [
      part(tally.feeds[.updated] ?? 0, isDryRun ? "to update" : "updated"),
      part(tally.feeds[.unchanged] ?? 0, "unchanged"),
      part(tally.feeds[.failed] ?? 0, "failed"),
    ].compactMap(\.self)
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

  /// The same of thumbnails and of originals, as far as there are any.
  static func failures(_ groups: [FailureGroup]) -> [String] {
    let originals = groups.filter { $0.kind == .original }
    let thumbnails = groups.filter { $0.kind != .original }
    return [failures(thumbnails, "thumbnail"), failures(originals, "original")].compactMap(\.self)
  }

  /// Pictures that failed before, why, and when they are asked for again; nil when there are none.
  ///
  /// Of several reasons the most frequent is told.
  static func failures(_ groups: [FailureGroup], _ noun: String) -> String? {
    guard let first = groups.first, let retry = groups.map(\.retry).min() else { return nil }
    let number = groups.reduce(0) { $0 + $1.count }
    let others = groups.count - 1
    let more = others > 0 ? " (and \(count(others, "other reason")))" : ""
    return "\(count(number, noun)) failed lately: \(clause(first.reason))\(more)"
      + ", tried again from \(localTime(retry)) on, or with --retry-failed"
  }

  private static func images(_ counts: ImageCounts) -> String {
    let changes = [
      part(counts.new, "new"), part(counts.changed, "changed"), part(counts.gone, "gone"),
    ].compactMap(\.self)
    let total = count(counts.total, "image")
    return changes.isEmpty ? total : "\(total), \(changes.joined(separator: ", "))"
  }

  private static func rest(of summary: FeedSyncSummary) -> String {
    let parts = [
      pictures(summary.thumbnails, "thumbnail", waiting: waiting(summary)),
      failures(summary.thumbnails.heldBack, "thumbnail"),
      pictures(summary.originals, "original", waiting: waiting(summary)),
      failures(summary.originals.heldBack, "original"),
      summary.bytes > 0 ? "\(size(summary.bytes)) in \(duration(summary.duration))" : nil,
    ].compactMap(\.self)
    return parts.isEmpty ? "" : "; \(parts.joined(separator: "; "))"
  }

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
    // Only the first part says what is counted.
    let rest = parts.dropFirst().map { ", \(grouped($0.0)) \($0.1)" }
    let bytes = counts.waitingBytes > 0 ? " (\(size(counts.waitingBytes)) declared)" : ""
    return "\(count(number, noun)) \(word)" + rest.joined() + bytes
  }

  private static func part(_ number: Int, _ word: String) -> String? {
    number > 0 ? "\(grouped(number)) \(word)" : nil
  }

  // MARK: Timings

  /// What stands above the phases of a sync: they cannot be added up.
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

  /// What the time of a phase was spent on.
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
