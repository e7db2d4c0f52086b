/// What the feeds of one sync share.
struct SharedSync: Sendable {
  let teller: AsyncStream<SyncFact>.Continuation
  let progress: SyncProgress
  let turnstile = Turnstile()
  let claims = FeedClaims()
}
