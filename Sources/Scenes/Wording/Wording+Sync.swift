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
    if summary.status == .failed { return "failed \(name)" + rest(of: summary) }
    let verb =
      summary.isDryRun && summary.status == .updated ? "would update" : summary.status.rawValue
    return "\(verb) \(name): \(images(summary.images))" + rest(of: summary)
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
      pictures(summary.originals, "original", waiting: waiting(summary)),
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
    let parts = [
      (counts.stored, "stored"), (counts.failed, "failed"), (counts.waiting, waiting),
    ].filter { $0.0 > 0 }
    guard let (number, word) = parts.first else { return nil }
    // Only the first part says what is counted.
    let rest = parts.dropFirst().map { ", \(grouped($0.0)) \($0.1)" }
    return "\(count(number, noun)) \(word)" + rest.joined()
  }

  private static func part(_ number: Int, _ word: String) -> String? {
    number > 0 ? "\(grouped(number)) \(word)" : nil
  }
}
