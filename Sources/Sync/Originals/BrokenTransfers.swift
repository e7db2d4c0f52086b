/// The transfers of one original that break off, and how many of them may follow one another.
///
/// Only bytes beyond the furthest position count as new, so a server that repeats the same beginning makes no progress.
struct BrokenTransfers {
  /// The number of transfers in a row that break off without new bytes before the download fails.
  private static let most = 5
  /// The number of bytes beyond the furthest position that count as new.
  private static let progressBytes = 64 << 10

  /// The transfers that broke off since one brought new bytes.
  private(set) var count = 0
  /// The most bytes received so far.
  private var furthest: Int

  /// - Parameter received: The number of bytes that an earlier attempt left.
  init(behind received: Int = 0) { furthest = received }

  /// Notes a transfer that broke off after so many bytes; returns false if there may be no other transfer.
  mutating func allowsAnother(at received: Int) -> Bool {
    count = received - furthest >= Self.progressBytes ? 1 : count + 1
    furthest = max(furthest, received)
    return count < Self.most
  }
}
