/// A word of a command line.
package enum ShellWord {
  /// Quotes a word for a shell (POSIX.1-2017, Shell, section 2.2.2), so that zsh and fish read it alike.
  package static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "-_./:=,@%+".utf8.contains(byte)
      }
    }
    // zsh takes what follows "=" for the name of a command, and fish takes "%self" for a number.
    if isPlain, let first = word.utf8.first, !"=%".utf8.contains(first) { return word }
    // Not by characters: with a combining mark behind it, a quotation mark is another character. A backslash stands
    // outside the quotation marks, because inside them, fish joins it to the mark behind it.
    let quoted = word.unicodeScalars.map { scalar in
      switch scalar {
      case "'": #"'\''"#
      case "\\": #"'\\'"#
      default: String(scalar)
      }
    }
    return "'\(quoted.joined())'"
  }
}
