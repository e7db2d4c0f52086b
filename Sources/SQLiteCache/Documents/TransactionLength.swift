/// How many images of a document the next transaction may write.
///
/// The more it writes, the fewer times is a page written, since titles and addresses go all over the indexes.
/// But other processes wait for it meanwhile, so it becomes shorter where a slow machine or a large library
/// makes it slow.
struct TransactionLength {
  private(set) var images = Limits.documentImagesPerTransaction.upperBound

  /// Takes how long the last transaction has written, its commit not counted.
  mutating func note(_ duration: Duration) {
    let range = Limits.documentImagesPerTransaction
    if duration > Limits.documentWriting {
      images = max(images / 2, range.lowerBound)
    } else if duration < Limits.documentWriting / 2 {
      images = min(2 * images, range.upperBound)
    }
  }
}
