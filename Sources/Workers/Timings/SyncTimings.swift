/// Where the time of a sync went.
package struct SyncTimings: Sendable, Equatable {
  /// How long the sync took as a whole.
  package var whole = Duration.zero
  package var counts = SyncCounts()
  private var times: [SyncPhase: Duration] = [:]

  package init() {}

  /// The time of a phase, summed up over all that ran at the same time.
  package subscript(phase: SyncPhase) -> Duration {
    get { times[phase, default: .zero] }
    set { times[phase] = newValue }
  }
}
