/// A body as it arrives, for one reader.
///
/// A reader that is slow holds the transfer up instead of filling the memory. Letting go of the
/// body before its end cancels the transfer.
package protocol NetworkBody: AnyObject, Sendable {
  /// The next bytes; nil once the whole body has been read.
  func next() async throws(NetworkError) -> [UInt8]?

  /// Whether the next bytes, or the end, have come already, so that nobody has to wait for them.
  var hasNext: Bool { get }

  /// Bytes that came over the wire so far: headers, and bodies as sent.
  var wireBytes: Int { get }
}
