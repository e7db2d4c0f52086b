/// As much of a file as telling a picture takes: its first bytes, its last bytes and its length.
///
/// A picture that arrives in pieces passes through `append`, and needs no more memory than the two
/// limits and the piece that came last, whatever its length.
package struct PictureSample: Sendable, Equatable {
  /// How many first bytes are kept: metadata that stands before the size of a JPEG can be long.
  package static let headLimit = 256 * 1024
  /// How many last bytes are kept.
  package static let tailLimit = 64 * 1024

  /// Length of the file in bytes.
  package private(set) var length: Int
  private var first: [UInt8]
  /// The last bytes; more of them than are looked at, as they came.
  private var last: [UInt8]

  /// The sample of an empty file, to append to.
  package init() { self.init([]) }

  /// The sample of a file that is in memory.
  package init(_ whole: [UInt8]) {
    first = whole
    last = []
    length = whole.count
  }

  /// The sample of a file on disk.
  ///
  /// - Parameters:
  ///   - head: Its first bytes.
  ///   - tail: Its last bytes; they may begin among the first ones.
  ///   - length: The length of the file.
  package init(head: [UInt8], tail: [UInt8], length: Int) {
    first = head
    last = tail
    self.length = max(length, head.count, tail.count)
  }

  /// Adds what comes next of a file that is arriving.
  package mutating func append(_ bytes: [UInt8]) {
    length += bytes.count
    let missing = Self.headLimit - first.count
    if missing > 0 { first += bytes[..<min(missing, bytes.count)] }
    if bytes.count >= Self.tailLimit {
      // Shared with whoever has the piece, not copied.
      last = bytes
    } else {
      last += bytes
      // Only now and then, so that small pieces do not each move what is kept.
      if last.count > 2 * Self.tailLimit { last.removeFirst(last.count - Self.tailLimit) }
    }
  }

  var head: ByteReader { ByteReader(first[...]) }

  var tail: ByteReader {
    if length <= first.count { return head }
    let tail = last.suffix(Self.tailLimit)
    return ByteReader(tail, start: length - tail.count)
  }

  /// Whether first and last bytes overlap, so that nothing of the file is unseen.
  var hasNoGap: Bool { length <= first.count || tail.start < head.end }
}
