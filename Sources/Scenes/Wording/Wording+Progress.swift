import Workers

extension Wording {
  /// Said while a sync that was asked to stop comes to its end.
  static let stopping = "stopping — storing what has come; once more ends at once"

  /// How far a sync is: what is done of what is known, the rate, the time that is left.
  ///
  /// The bar is that of the first count in the text: of the feeds, where there are several, for their
  /// pictures become known one feed after the other, and a bar of those would go back again and again.
  /// A wait comes first, so that it is not cut off and does not look like the end.
  static func progressLine(
    _ progress: SyncProgress.Snapshot,
    _ pace: SyncMeter.Pace
  ) -> ProgressLine {
    let pictures = progress.pictures
    let hasPictures = pictures.total > 0
    let first = progress.feeds.total > 1 ? progress.feeds : pictures
    let isWaiting = pace.idle >= longWait
    let parts = [
      isWaiting ? "nothing came for \(duration(pace.idle))" : nil,
      progress.feeds.total > 1 ? part(progress.feeds, "feed") : nil,
      hasPictures ? part(pictures, noun(progress)) : "reading \(count(progress.images, "image"))",
      progress.bytes > 0 ? size(progress.bytes) : nil,
      progress.bytes > 0 && !isWaiting ? "\(size(Int(pace.bytesPerSecond)))/s" : nil,
      progress.feedsRead >= progress.feeds.total ? timeLeft(of: pictures, pace) : nil,
    ].compactMap(\.self)
    return ProgressLine(
      fraction: first.total > 0 ? Double(first.done) / Double(first.total) : nil,
      text: parts.joined(separator: ", ")
    )
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

  private static func noun(_ progress: SyncProgress.Snapshot) -> String {
    progress.originals.total > 0 ? "picture" : "thumbnail"
  }

  private static func part(_ part: SyncProgress.Part, _ noun: String) -> String {
    "\(grouped(part.done)) of \(count(part.total, noun))"
  }

  /// Nothing before a twentieth is done: it would only be a guess.
  private static func timeLeft(
    of pictures: SyncProgress.Part,
    _ pace: SyncMeter.Pace
  ) -> String? {
    guard pictures.done * 20 > pictures.total, pictures.done < pictures.total,
      pace.picturesPerSecond > 0, pace.idle < longWait
    else { return nil }
    let seconds = Double(pictures.total - pictures.done) / pace.picturesPerSecond
    return "\(duration(.seconds(seconds))) left"
  }

  /// From when on a pause is worth a word.
  private static let longWait = Duration.seconds(3)
}
