internal import CVips
import DecoderFrames

/// What libvips has noted of errors since they were last read.
enum VipsMessage {
  /// Takes the notes and clears them.
  static func refusal() -> Refusal {
    let notes = String(cString: vips_error_buffer())
    vips_error_clear()
    return refusal(notes)
  }

  /// The last line that says something in words: some notes go over several, of which the last is a
  /// number in brackets.
  static func refusal(_ notes: String) -> Refusal {
    let lines = notes.split(separator: "\n").map(withoutDomain)
    let last = lines.last { $0.utf8.count(where: isLetter) > 2 } ?? ""
    let words = last.lowercased()
    let signs = [
      "out of memory", "memory allocation", "security limit", "cannot allocate",
      "tile size out of range",
    ]
    if signs.contains(where: words.contains) {
      return .tooMuchMemory(limit: Int(ResourceLimits.memory))
    }
    return .undecodable(message: String(last))
  }

  /// A line without the name of the part of libvips that wrote it.
  private static func withoutDomain(_ line: Substring) -> Substring {
    guard let colon = line.firstIndex(of: ":"), line[..<colon].allSatisfy({ $0 != " " }) else {
      return line
    }
    return line[line.index(after: colon)...].drop { $0 == " " }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}
