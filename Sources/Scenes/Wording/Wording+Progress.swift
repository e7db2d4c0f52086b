import Workers

extension Wording {
  /// Said while a sync that was asked to stop comes to its end.
  static let stopping = "stopping — storing what has come; once more ends at once"

  /// How far a sync is: what is done of what is known, the rate, the time that is left.
  ///
  /// The bar is that of the pictures, once all of them are known; until then they are only counted.
  /// A wait comes first, so that it is not cut off and does not look like the end.
  static func progressLine(
    _ progress: SyncProgress.Snapshot,
    _ pace: ProgressMeter.Pace
  ) -> ProgressLine {
    let isMoving = progress.bytes > 0
    return ProgressLine(
      fraction: pace.fraction,
      parts: [
        (wait(pace), 0),
        (progress.feeds.total > 1 ? part(progress.feeds, "feed") : nil, 3),
        (pictures(progress), 0),
        (isMoving ? size(progress.bytes) : nil, 4),
        (isMoving ? rate(pace) : nil, 2),
        (timeLeft(of: progress, pace), 1),
      ]
    )
  }

  /// How far one original is.
  static func progressLine(
    received: Int,
    total: Int?,
    _ pace: ProgressMeter.Pace
  ) -> ProgressLine {
    let whole = total.flatMap { $0 > 0 ? SyncProgress.Part(done: received, total: $0) : nil }
    return ProgressLine(
      fraction: pace.fraction,
      parts: [
        (wait(pace), 0),
        (whole.map { "\(size(received)) of \(size($0.total))" } ?? size(received), 0),
        (rate(pace), 2),
        (whole.flatMap { timeLeft(of: $0, perSecond: pace.bytesPerSecond, pace) }, 1),
      ]
    )
  }

  private static func wait(_ pace: ProgressMeter.Pace) -> String? {
    pace.idle >= longWait ? "nothing came for \(duration(pace.idle))" : nil
  }

  private static func rate(_ pace: ProgressMeter.Pace) -> String? {
    pace.idle >= longWait ? nil : "\(size(Int(pace.bytesPerSecond)))/s"
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

  /// Originals take so much longer than thumbnails that only their own pace says when they will be here.
  private static func timeLeft(
    of progress: SyncProgress.Snapshot,
    _ pace: ProgressMeter.Pace
  ) -> String? {
    guard let whole = progress.whole else { return nil }
    return progress.originals.total > progress.originals.done
      ? timeLeft(of: progress.originals, perSecond: pace.originalsPerSecond, pace)
      : timeLeft(of: whole, perSecond: pace.picturesPerSecond, pace)
  }

  /// Nothing before a twentieth is done: it would only be a guess.
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

  /// From when on a pause is worth a word.
  private static let longWait = Duration.seconds(3)
}
