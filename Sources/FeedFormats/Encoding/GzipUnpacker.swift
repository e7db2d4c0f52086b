import CZlib
import Workers

/// Undoes gzip (RFC 1952), block by block and not beyond a limit.
final class GzipUnpacker {
  private let stream: UnsafeMutablePointer<z_stream>
  private let limit: Int
  private let block: Int
  private var input: [UInt8] = []
  private var place = 0
  /// How many bytes have been unpacked.
  private(set) var total = 0
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

  /// Whether the packed data have come to their end.
  var isComplete: Bool { isAtEnd && !isDamaged }

  func append(_ bytes: [UInt8]) {
    input.removeSubrange(..<place)
    place = 0
    input += bytes
  }

  /// The next block; nil when more bytes are needed, or nothing will come any more.
  ///
  /// - Throws: when the document unpacks to more than the limit.
  func next() throws(FeedError) -> [UInt8]? {
    if isAtEnd || isDamaged { return nil }
    let block = unpack()
    total += block.count
    guard total <= limit else {
      throw .beyondLimit(
        of: "the bytes of the unpacked document",
        limit: limit
      )
    }
    return block.isEmpty ? nil : block
  }

  private func unpack() -> [UInt8] {
    var code = Z_OK
    let size = block
    let block = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      input.withUnsafeMutableBufferPointer { bytes in
        stream.pointee.next_in = bytes.baseAddress.map { $0 + place }
        stream.pointee.avail_in = UInt32(bytes.count - place)
        stream.pointee.next_out = buffer.baseAddress
        stream.pointee.avail_out = UInt32(size)
        code = inflate(stream, Z_NO_FLUSH)
        place = bytes.count - Int(stream.pointee.avail_in)
      }
      count = size - Int(stream.pointee.avail_out)
    }
    isAtEnd = code == Z_STREAM_END
    isDamaged = code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR
    return block
  }
}
