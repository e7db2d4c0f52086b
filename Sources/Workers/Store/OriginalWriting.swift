package import Models

/// An original that is arriving, in the task that asked for it.
package protocol OriginalWriting: AnyObject {
  /// Adds bytes at the end.
  func append(_ bytes: [UInt8]) throws(StoreError)

  /// Brings the whole file to the disk, gives it its name and ties it to its image, in this order.
  ///
  /// - Parameters:
  ///   - info: What the file was found to be.
  ///   - address: The address it was asked for under.
  ///   - validators: What to ask with next time.
  /// - Returns: The original as it is stored now.
  /// - Throws: when it cannot be brought to the disk; what was stored before stays.
  func commit(
    info: PictureInfo,
    from address: WebAddress,
    validators: Validators
  ) throws(StoreError) -> StoredOriginal

  /// Throws away what has arrived.
  func discard()
}
