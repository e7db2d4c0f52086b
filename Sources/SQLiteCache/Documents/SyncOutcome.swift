import Models

/// How a sync of a feed ended without the end of a document.
struct SyncOutcome {
  var status: Feed.Status
  var problem: String?
  /// What to ask with next time; nil leaves what there is.
  var validators: Validators?
  /// Whether documents were begun, and not read to their end.
  var isBroken = false
}
