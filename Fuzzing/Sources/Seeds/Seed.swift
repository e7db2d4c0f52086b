/// The sources of a target's first inputs.
enum Seed {
  /// The documents in a folder, or one document, from the tests of the feed formats.
  case documents(String)
  case bytes([UInt8])

  static func text(_ text: String) -> Seed { .bytes(Array(text.utf8)) }
}
