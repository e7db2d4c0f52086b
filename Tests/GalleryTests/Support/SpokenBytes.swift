import Foundation

/// The output of a program, byte for byte.
struct SpokenBytes {
  let text: String
  /// Whether the output is valid UTF-8.
  let isSound: Bool

  init(of path: String) throws {
    let data = try Data(contentsOf: URL(filePath: path))
    let sound = String(bytes: data, encoding: .utf8)
    isSound = sound != nil
    text = sound ?? String(decoding: data, as: UTF8.self)
  }

  /// The lines without their ends.
  var lines: [Substring] {
    text.unicodeScalars.split(separator: "\n").map { Substring($0) }
  }

  /// The characters that could control a terminal or another display, except for the allowed ones.
  func dangers(allowing allowed: Set<Unicode.Scalar> = ["\n"]) -> Set<Unicode.Scalar> {
    Set(text.unicodeScalars.filter { Self.isDangerous($0) && !allowed.contains($0) })
  }

  /// The output without the program's own sequences: status line, colours of pictures, cursor movements, and the
  /// questions to the terminal, which it leaves out if the user has typed ahead.
  func withoutOwnSequences() -> SpokenBytes {
    let own = /\r?\u{1B}\[K|\r\n|\u{1B}\[(?:[027]|31|(?:;?[34]8;5;\d+)+)m|\r?\u{1B}\[\d+[ABCDG]/
    let questions =
      "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\"
      + "\u{1B}]11;?\u{1B}\\\u{1B}[16t\u{1B}[14t\u{1B}[c"
    return SpokenBytes(
      text: text.replacing(questions, with: "\n")
        .replacing(own.matchingSemantics(.unicodeScalar), with: "\n"),
      isSound: isSound
    )
  }

  private init(text: String, isSound: Bool) {
    self.text = text
    self.isSound = isSound
  }

  private static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // C0 and C1, then the characters that reorder or break lines, then the invisible ones.
    case 0..<0x20, 0x7F...0x9F: true
    case 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x206F, 0x2028, 0x2029: true
    case 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE00FF, 0xE01F0...0xE0FFF: true
    default: false
    }
  }
}
