/// An original that is arriving, in the task that asked for it; nobody else writes it meanwhile.
///
/// It ends with `commit`, `suspend` or `discard`; another one of them after that does nothing.
package protocol OriginalWriting: AnyObject {
  /// Where what has arrived can be looked into, while more is coming and until it is ended.
  var path: String { get }

  /// What an earlier try left here; nil when there is nothing to go on from.
  var kept: KeptOriginal? { get }

  /// SHA-256 of what is here so far, in lower-case hexadecimal digits.
  var sha256: String { get }

  /// Goes on behind what is kept, which is read back in pieces.
  func resume(_ body: ([UInt8]) -> Void) throws(StoreError)

  /// Throws away what is here, and begins with the first byte of a version.
  func restart(_ version: OriginalVersion) throws(StoreError)

  /// Adds bytes at the end.
  func append(_ bytes: [UInt8]) throws(StoreError)

  /// Looks whether the disk has room for so many bytes more, besides what a sync leaves free for others.
  ///
  /// - Throws: `.reserved` when it has not.
  func checkRoom(for bytes: Int) throws(StoreError)

  /// Brings the whole file to the disk, gives it its name and ties it to its image, in this order.
  ///
  /// - Returns: The original as it is stored now.
  /// - Throws: when it cannot be brought to the disk; what was stored before stays.
  func commit(_ receipt: OriginalReceipt) throws(StoreError) -> StoredOriginal

  /// Brings to the disk what has arrived, for a later try to go on from; leaves nothing of what
  /// cannot be gone on from.
  func suspend()

  /// Throws away what has arrived, and what was kept.
  func discard()
}
