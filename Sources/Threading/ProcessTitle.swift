import CLinux

/// The command line of this process, which every user of the machine can read (ps(1)).
package enum ProcessTitle {
  /// Masks the passwords of addresses in it, and returns the words as they were typed.
  package static func mask() -> [String] {
    // The first use copies the words.
    let words = CommandLine.arguments
    clinux_mask_passwords()
    return words
  }
}
