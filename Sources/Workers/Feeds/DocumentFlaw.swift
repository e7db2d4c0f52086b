/// Something wrong with a document that was read past, and what it may have cost.
///
/// Parsers name the flaw; the words for it are in `Wording`.
package enum DocumentFlaw: Sendable, Hashable {
  // Markup
  case bareAmpersand
  case bareLessThan
  case bareAttribute
  case excessiveAttribute
  case malformedTag
  case unmatchedEndTag
  case missingEndTag
  case textBeforeRoot
  case lateDeclaration
  case cutMarkup
  /// A name with a prefix that no namespace is declared for.
  case undeclaredPrefix
  /// Markup that the parser refuses all the same; the rest is not read.
  case malformedMarkup
  case noRoot

  // JSON
  case malformedEntry
  case unexpectedCharacter
  case unreadableKey

  // Any document
  case preceded
  case followed
  case cutOff
  case longText(limit: Int)
  case noMemory

  // Encoding and packing
  case unknownEncoding(String)
  /// A text whose encoding nobody declared, and what it was read as.
  case undeclaredEncoding(readAs: String)
  case otherEncoding(than: String, readAs: String)
  case unreadableEncoding(String)
  case badUTF8
  case controlCharacters
  case badCharacters
  case damagedGzip
  case cutGzip

  // Lists of other documents
  case emptyCollection
  case emptyManifest
  case excessiveMembers
  case excessiveFeeds

  /// Whether nothing was lost: neither an image nor an address of one.
  package var isHarmless: Bool {
    switch self {
    case .bareAmpersand, .bareLessThan, .bareAttribute, .unmatchedEndTag, .textBeforeRoot,
      .lateDeclaration, .undeclaredPrefix, .preceded, .unknownEncoding, .undeclaredEncoding,
      .otherEncoding, .badUTF8, .controlCharacters, .badCharacters:
      true
    case .excessiveAttribute, .malformedTag, .missingEndTag, .cutMarkup, .malformedMarkup,
      .noRoot, .malformedEntry, .unexpectedCharacter, .unreadableKey, .followed, .cutOff,
      .longText, .noMemory, .unreadableEncoding, .damagedGzip, .cutGzip, .emptyCollection,
      .emptyManifest, .excessiveMembers, .excessiveFeeds:
      false
    }
  }
}
