/// Counts the transfers of one original that broke off since one brought it further.
///
/// Only bytes that had never come before count: a server that sends the same beginning again and
/// again brings nothing.
struct OriginalBreaks {
  private(set) var count = 0
  private var furthest: Int

  /// Takes how many bytes are here before the first transfer.
  init(from received: Int) { furthest = received }

  /// Notes that a transfer has broken off; false when no other one is to be tried.
  mutating func note(at received: Int) -> Bool {
    count = received - furthest >= OriginalLimits.progressBytes ? 1 : count + 1
    furthest = max(furthest, received)
    return count < OriginalLimits.breaks
  }
}
