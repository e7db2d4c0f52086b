/// How often a picture that is still arriving is decoded and drawn again: at most twice a second,
/// and at most a tenth of the time.
package struct RedrawPace: Sendable {
  private static let leastPause = Duration.milliseconds(500)
  /// What has to pass after a drawing for each unit of time that it took.
  private static let restPerWork = 9

  private var earliest: ContinuousClock.Instant?

  package init() {}

  /// Whether it is time to draw again.
  package func admits(at now: ContinuousClock.Instant) -> Bool {
    earliest.map { now >= $0 } ?? true
  }

  /// Takes when the work on a drawing, its decoding included, began and ended.
  package mutating func note(
    began: ContinuousClock.Instant,
    ended: ContinuousClock.Instant
  ) {
    let rest = ended + (ended - began) * Self.restPerWork
    earliest = max(began + Self.leastPause, rest)
  }
}
