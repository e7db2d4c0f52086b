internal import CVips
import Glibc

/// The bytes of a PNG file without the chunks that its picture can do without.
///
/// Text comes packed, in as many chunks as there are, and the decoder would unpack and keep all of it:
/// 300 chunks of 7 KB take 2 GB and 20 seconds. Only chunks that say how pixels look are passed on
/// (PNG, third edition, section 11.3).
final class PNGWithoutText {
  private let file: Int32
  /// Where in the file the next byte is.
  private var place: off_t = 0
  /// How many bytes of a chunk, or of the signature first, are still to be passed on.
  private var left = 8

  private static let ancillary: Set = [
    "tRNS", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP", "bKGD", "pHYs", "eXIf",
  ]

  /// The file has to stay open for as long as the source is used.
  private init(file: Int32) { self.file = file }

  static func source(file: Int32) -> UnsafeMutablePointer<VipsSource>? {
    let context = Unmanaged.passRetained(PNGWithoutText(file: file)).toOpaque()
    return cvips_source_reading(
      { _, buffer, count, context in
        guard let buffer, let context else { return -1 }
        let room = UnsafeMutableRawBufferPointer(start: buffer, count: Int(count))
        let reader = Unmanaged<PNGWithoutText>.fromOpaque(context).takeUnretainedValue()
        return gint64(reader.read(room))
      },
      context,
      { context, _ in
        if let context { Unmanaged<PNGWithoutText>.fromOpaque(context).release() }
      }
    )
  }

  /// Reads on.
  ///
  /// - Returns: How many bytes there were; 0 at the end, less on failure.
  private func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    while left == 0 { beginChunk() }
    let count = pread(file, buffer.baseAddress, min(buffer.count, left), place)
    if count > 0 {
      place += count
      left -= count
    }
    return count
  }

  /// Finds out how much of the next chunk is passed on: all or nothing.
  private func beginChunk() {
    var head: (UInt32, UInt32) = (0, 0)
    let isThere = withUnsafeMutableBytes(of: &head) { pread(file, $0.baseAddress, 8, place) == 8 }
    // What is no chunk is the decoder's to complain about.
    guard isThere else {
      left = 8
      return
    }
    let length = 12 + Int(UInt32(bigEndian: head.0))
    let name = withUnsafeBytes(of: head.1) { String(decoding: $0, as: UTF8.self) }
    let isCritical = name.utf8.first.map { $0 & 0x20 == 0 } ?? true
    if isCritical || Self.ancillary.contains(name) {
      left = length
    } else {
      place += off_t(length)
    }
  }
}
