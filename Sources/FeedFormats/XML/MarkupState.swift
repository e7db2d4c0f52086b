/// Where in the markup of a document a reader is.
enum MarkupState {
  /// Before the root, where only markup may stand.
  case prolog
  case text
  case section
  case comment
  case instruction
  /// A document type declaration, and how many brackets are open in it.
  case declaration(Int)
  case endTag
  /// The rest of a start tag that is left out.
  case excess
  /// A tag or instruction that is left out.
  case leftOut(until: UInt8)

  // The parts of a start tag.
  case tagName
  case betweenAttributes
  case attributeName
  case afterAttributeName
  case beforeValue
  case quotedValue(UInt8)
  case unquotedValue
}
