/// What can be wrong with markup and is mended, by what is said of it.
enum MarkupFlaw: String, CaseIterable {
  case ampersand = "an & that begins no character reference"
  case lessThan = "a < that begins no tag"
  case attribute = "an attribute without quotes or value"
  case excess = "an attribute too long, or too many of them"
  case tag = "a tag that is not well-formed"
  case endTag = "an end tag that closes nothing"
  case missingEnd = "an element without end tag"
  case leadingText = "text before the root element"
  case cutOff = "markup that is cut off"
  case declaration = "an XML declaration that is not at the beginning"
}
