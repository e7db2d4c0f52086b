/// What the feeds of one run share.
struct RunResources: Sendable {
  /// Lets one large thumbnail in at a time.
  let turnstile = Turnstile()
  /// What all originals of the run are paid from, whatever they are fetched for.
  let budget: TransferBudget

  init(_ plan: SyncPlan) { budget = TransferBudget(bytes: plan.originalBytes) }
}
