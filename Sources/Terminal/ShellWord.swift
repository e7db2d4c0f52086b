/// A word of a command line.
package enum ShellWord {
  /// Quotes a word for a shell (POSIX.1-2017, Shell, section 2.2.2).
  package static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "-_./:=,@%+".utf8.contains(byte)
      }
    }
    if isPlain, !word.isEmpty { return word }
    // Not by characters: with a combining mark behind it, a quotation mark is another character.
    return "'" + word.unicodeScalars.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
  }
}
