internal import CVips
import Glibc
import PictureFiles

/// The bytes of an open file with edits, which libvips reads in any order.
final class EditedFile {
  private let file: Int32
  private let part: Range<Int>
  private let edits: PictureEdits
  /// The offset of the next byte.
  private var position = 0

  private init(_ file: Int32, _ part: Range<Int>, _ edits: PictureEdits) {
    self.file = file
    self.part = part
    self.edits = edits
  }

  /// Makes a source; the file must stay open while the source is in use.
  static func source(
    _ file: borrowing PictureFile,
    _ edits: PictureEdits
  ) -> UnsafeMutablePointer<VipsSource>? {
    let all = 0..<file.length
    let edited = EditedFile(file.descriptor, edits.part?.clamped(to: all) ?? all, edits)
    return cvips_source_seeking(
      { _, buffer, count, context in
        guard let buffer, let context else { return -1 }
        let room = UnsafeMutableRawBufferPointer(start: buffer, count: Int(count))
        return gint64(Unmanaged<EditedFile>.fromOpaque(context).takeUnretainedValue().read(room))
      },
      { _, offset, origin, context in
        guard let context else { return -1 }
        let file = Unmanaged<EditedFile>.fromOpaque(context).takeUnretainedValue()
        return gint64(file.seek(Int(offset), from: origin))
      },
      Unmanaged.passRetained(edited).toOpaque(),
      { context, _ in
        if let context { Unmanaged<EditedFile>.fromOpaque(context).release() }
      }
    )
  }

  private var length: Int { part.count + edits.end.count }

  /// Reads the next bytes.
  ///
  /// - Returns: The number of bytes; 0 at the end, and a negative number on failure.
  private func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard position < part.count else { return readEnd(buffer) }
    let room = min(buffer.count, part.count - position)
    let offset = off_t(part.lowerBound + position)
    let count = pread(file, buffer.baseAddress, room, offset)
    guard count > 0 else { return count }
    for replacement in edits.replacements {
      for (index, byte) in replacement.bytes.enumerated() {
        let place = replacement.offset + index - position
        if 0..<count ~= place { buffer[place] = byte }
      }
    }
    position += count
    return count
  }

  private func readEnd(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    let rest = edits.end.dropFirst(position - part.count).prefix(buffer.count)
    buffer.copyBytes(from: rest)
    position += rest.count
    return rest.count
  }

  /// Moves to an offset; negative when there is no such place.
  private func seek(_ offset: Int, from origin: Int32) -> Int {
    let start =
      switch origin {
      case SEEK_SET: 0
      case SEEK_CUR: position
      default: length
      }
    let (place, overflows) = start.addingReportingOverflow(offset)
    guard !overflows, 0...length ~= place else { return -1 }
    position = place
    return place
  }
}
