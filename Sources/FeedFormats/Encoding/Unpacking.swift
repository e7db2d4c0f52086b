import CZlib
import Workers

/// Returns the content of a document, and unpacks it if it is gzip, even without a declaration.
struct Unpacking {
  private enum State {
    case opening
    case plain
    case packed(GzipUnpacker)
  }

  private var state = State.opening
  private var waiting: [UInt8] = []

  /// The flaws of the packed data, which are known at the end.
  var flaws: [DocumentFlaw] {
    guard case .packed(let unpacker) = state, !unpacker.isComplete else { return [] }
    return [unpacker.isDamaged ? .damagedGzip : .cutGzip]
  }

  /// Whether this is an archive from which nothing could be unpacked.
  var isUnreadable: Bool {
    guard case .packed(let unpacker) = state else { return false }
    return unpacker.total == 0
  }

  /// Adds the next bytes; `isLast` when no bytes follow.
  mutating func append(_ bytes: [UInt8], isLast: Bool) {
    if case .packed(let unpacker) = state { return unpacker.append(bytes) }
    waiting += bytes
    guard case .opening = state, isLast || waiting.count >= Self.mark.count else { return }
    state = .plain
    guard waiting.starts(with: Self.mark), let unpacker = GzipUnpacker() else { return }
    unpacker.append(waiting)
    waiting = []
    state = .packed(unpacker)
  }

  /// The next part of the document; nil when more bytes are needed.
  ///
  /// - Throws: A `FeedError` when the document unpacks to more than the limit.
  mutating func next() throws(FeedError) -> [UInt8]? {
    switch state {
    case .opening: return nil
    case .packed(let unpacker): return try unpacker.next()
    case .plain:
      guard !waiting.isEmpty else { return nil }
      defer { waiting = [] }
      return waiting
    }
  }

  /// The first bytes of every gzip file: the signature and the only compression method.
  private static let mark: [UInt8] = [0x1F, 0x8B, 8]
}

/// Unpacks gzip (RFC 1952), block by block and up to a limit.
///
/// The data may have several members (section 2.2). Other bytes behind a member are ignored, as gunzip does.
final class GzipUnpacker {
  private let stream: UnsafeMutablePointer<z_stream>
  private let limit: Int
  private let block: Int
  private var input: [UInt8] = []
  private var offset = 0
  /// The number of unpacked bytes.
  private(set) var total = 0
  /// Whether a member has ended, and the next bytes decide whether another one follows.
  private var isBetweenMembers = false
  private var isAtEnd = false
  /// Whether the packed data are damaged.
  private(set) var isDamaged = false

  /// Makes an unpacker; nil when there is no memory.
  init?(limit: Int = FormatLimits.unpackedBytes, block: Int = FormatLimits.unpackedBlock) {
    self.limit = limit
    self.block = block
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard czlib_begin_gzip(stream) == Z_OK else {
      stream.deallocate()
      return nil
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Whether the packed data are complete and undamaged.
  var isComplete: Bool { (isAtEnd || isBetweenMembers) && !isDamaged }

  func append(_ bytes: [UInt8]) {
    if isAtEnd { return }
    input.removeSubrange(..<offset)
    offset = 0
    input += bytes
  }

  /// The next block; nil when more bytes are needed, or when the data have ended.
  ///
  /// - Throws: A `FeedError` when the document unpacks to more than the limit.
  func next() throws(FeedError) -> [UInt8]? {
    while hasMember, !isDamaged {
      let block = unpack()
      total += block.count
      guard total <= limit else {
        throw .beyondLimit(
          of: "the bytes of the unpacked document",
          limit: limit
        )
      }
      if !block.isEmpty { return block }
      // An empty member ends without a block.
      if !isBetweenMembers { return nil }
    }
    return nil
  }

  /// Whether there is a member to read; begins the next one if its first bytes are here.
  private var hasMember: Bool {
    guard isBetweenMembers else { return !isAtEnd }
    let rest = input[offset...]
    if rest.count < Self.mark.count, Self.mark.starts(with: rest) { return false }
    isBetweenMembers = false
    isAtEnd = !rest.starts(with: Self.mark) || inflateReset(stream) != Z_OK
    return !isAtEnd
  }

  private static let mark: [UInt8] = [0x1F, 0x8B]

  private func unpack() -> [UInt8] {
    var code = Z_OK
    let size = block
    let block = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      input.withUnsafeMutableBufferPointer { bytes in
        stream.pointee.next_in = bytes.baseAddress.map { $0 + offset }
        stream.pointee.avail_in = UInt32(bytes.count - offset)
        stream.pointee.next_out = buffer.baseAddress
        stream.pointee.avail_out = UInt32(size)
        code = inflate(stream, Z_NO_FLUSH)
        offset = bytes.count - Int(stream.pointee.avail_in)
      }
      count = size - Int(stream.pointee.avail_out)
    }
    isBetweenMembers = code == Z_STREAM_END
    isDamaged = code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR
    return block
  }
}
