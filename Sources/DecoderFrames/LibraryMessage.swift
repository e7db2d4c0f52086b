package import Models

/// The reasons behind the messages of libvips and the libraries that it uses.
extension Refusal {
  /// Explains a library's refusal.
  ///
  /// - Parameters:
  ///   - format: The format of the picture; nil when it is unknown.
  ///   - memoryLimit: The memory that the decoder may use, in bytes.
  /// - Returns: The reason that the message states; if that is unknown, a refusal with the line that matters.
  package func explained(of format: ImageFormat?, memoryLimit: Int) -> Refusal {
    guard case .refused(let messages) = self else { return self }
    let line = Self.lastLine(of: messages)
    let words = line.lowercased()
    // libspng's warnings, which say why, do not count as messages.
    if line.isEmpty, format == .png { return .undecodable(message: line) }
    switch Self.reasons.first(where: { words.contains($0.words) })?.reason {
    case .memory: return .tooMuchMemory(limit: memoryLimit)
    case .damage: return .undecodable(message: line)
    case .undrawn(let kind):
      return format.map { .undrawn($0, kind) } ?? .refused(message: line)
    case nil: return .refused(message: line)
    }
  }

  private enum Reason {
    case memory
    case damage
    case undrawn(UndrawnKind)
  }

  /// Parts of messages in lower case, and what they mean; the first that a message contains counts.
  private static let reasons: [(words: String, reason: Reason)] =
    memory.map { ($0, .memory) } + undrawn + damage.map { ($0, .damage) }

  private static let memory = [
    "out of memory", "insufficient memory", "memory allocation", "security limit",
    "cannot allocate", "unable to allocate", "tile size out of range", "too big for",
  ]

  private static let undrawn: [(String, Reason)] = [
    // libjpeg
    ("data precision 12", .undrawn(.twelveBits)), ("data precision 16", .undrawn(.twelveBits)),
    ("unsupported jpeg process", .undrawn(.losslessJPEG)),
    ("arithmetic coding", .undrawn(.arithmeticJPEG)),
    // libtiff
    ("compression support is not configured", .undrawn(.missingCodec)),
    ("compression method is not", .undrawn(.missingCodec)),
    ("compression scheme", .undrawn(.missingCodec)),
    // libheif
    ("unsupported codec", .undrawn(.missingCodec)),
    ("metadata not correctly assigned", .undrawn(.newerForm)),
    ("unsupported feature", .undrawn(.newerForm)), ("unsupported color", .undrawn(.newerForm)),
    ("unsupported essential", .undrawn(.newerForm)), ("unsupported filetype", .undrawn(.newerForm)),
    ("unsupported image type", .undrawn(.newerForm)),
    ("unsupported file-type", .undrawn(.newerForm)),
    ("no decoding plugin", .undrawn(.missingCodec)), ("no properties assigned", .damage),
    // libvips, of JPEG 2000
    ("components differ in geometry", .undrawn(.newerForm)),
    // The system, of a plug-in; "directory" is damage in libtiff's messages.
    ("no such file", .undrawn(.missingCodec)),
  ]

  private static let damage = [
    // libvips, for all formats
    "premature end", "end of file", "unexpected end", "read error", "unable to read", "bad seek",
    "truncated", "not enough data", "too short", "out of range", "bad dimensions",
    "no such page", "bad page number", "unable to parse image", "unable to loop",
    // libjpeg
    "corrupt jpeg", "bogus", "not a jpeg", "table 0x", "unsupported marker", "empty input",
    "invalid jpeg", "invalid sos", "invalid scan", "invalid crop", "two so", "so before",
    "sos before", "missing", "empty jpeg", "improper call", "inconsistent progression",
    // libpng and libspng
    "libspng", "crc", "not a png", "invalid", "bad adaptive", "too many idat",
    "too much image data",
    // libnsgif
    "frame data", "insufficient data", "corrupt", "no frames in gif",
    // libwebp
    "bitstream error",
    // libtiff
    "not a tiff", "bad value", "incorrect count", "decode", "seek", "strip", "directory",
    "scanline", "unable to open source",
    "missing required", "lzw", "zip", "fax",
    // OpenJPEG
    "marker handler function failed",
    // libheif
    "end of data", "error while", "decoder plugin generated", "no 'ftyp'", "no item",
    "non-existing", "undefined bits per pixel",
    "no meta", "no 'iprp'", "no 'pitm'",
  ]

  /// The last line with words, without the name of the operation that wrote it; some messages end with a line that has
  /// only a number.
  private static func lastLine(of messages: String) -> String {
    let lines = messages.split(separator: "\n").map(withoutOperation)
    return String(lines.last { $0.utf8.count(where: isLetter) > 2 } ?? "")
  }

  private static func withoutOperation(_ line: Substring) -> Substring {
    guard let colon = line.firstIndex(of: ":"), line[..<colon].allSatisfy({ $0 != " " }) else {
      return line
    }
    return line[line.index(after: colon)...].drop { $0 == " " }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}
