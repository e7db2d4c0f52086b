/// What the feeds of one sync share.
struct SharedSync: Sendable {
  let teller: AsyncStream<SyncFact>.Continuation
  let progress: SyncProgress
  /// What all originals of the run are paid from, whatever they are fetched for.
  let budget: TransferBudget
  /// Lets one large thumbnail in at a time.
  let turnstile = Turnstile()
  let claims = FeedClaims()
  /// What the documents of all feeds have taken that lists name.
  let listed = Locked(DocumentCost())
  /// Where feeds wait for their turn to be read.
  let places = Turnstile(places: SyncLimits.feedsReadAtOnce)
}
