import Workers

extension Wording {
  /// How far a sync is: what is done of what is known, the rate, the time that is left.
  static func progressLine(_ progress: SyncProgress.Snapshot) -> ProgressLine {
    let pictures = pictures(progress)
    guard pictures.total > 0 else {
      let text = "reading \(part(progress.feeds, "feed")), \(count(progress.images, "image"))"
      return ProgressLine(fraction: nil, text: text)
    }
    let fraction = Double(pictures.done) / Double(pictures.total)
    let noun = progress.originals.total > 0 ? "picture" : "thumbnail"
    let parts = [
      part(pictures, noun),
      "\(size(progress.bytes)), \(rate(progress.bytes, progress.elapsed))",
      timeLeft(fraction: fraction, elapsed: progress.elapsed),
    ].compactMap(\.self)
    return ProgressLine(fraction: fraction, text: parts.joined(separator: ", "))
  }

  /// How far one original is.
  static func progressLine(received: Int, total: Int?) -> ProgressLine {
    guard let total, total > 0 else {
      return ProgressLine(fraction: nil, text: size(received))
    }
    return ProgressLine(
      fraction: min(1, Double(received) / Double(total)),
      text: "\(size(received)) of \(size(total))"
    )
  }

  private static func pictures(_ progress: SyncProgress.Snapshot) -> SyncProgress.Part {
    SyncProgress.Part(
      done: progress.thumbnails.done + progress.originals.done,
      total: progress.thumbnails.total + progress.originals.total
    )
  }

  private static func part(_ part: SyncProgress.Part, _ noun: String) -> String {
    "\(grouped(part.done)) of \(count(part.total, noun))"
  }

  private static func rate(_ bytes: Int, _ elapsed: Duration) -> String {
    let seconds = max(elapsed / .seconds(1), 0.001)
    return "\(size(Int(Double(bytes) / seconds)))/s"
  }

  /// Nothing before a twentieth is done: it would only be a guess.
  private static func timeLeft(fraction: Double, elapsed: Duration) -> String? {
    guard fraction > 0.05, fraction < 1 else { return nil }
    return "\(duration(elapsed * ((1 - fraction) / fraction))) left"
  }
}
