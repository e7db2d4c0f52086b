/// The elements of HTML that say something about pictures or feeds.
enum HTMLWord {
  case a
  case base
  case img
  case link
  case picture
  case script
  case source
  case style
  case other

  /// The word of a name, written in any case.
  init(_ name: Span<UInt8>) {
    for (text, word) in Self.names where name.count == text.utf8CodeUnitCount {
      if name.beginsIgnoringCase(with: text, at: 0) {
        self = word
        return
      }
    }
    self = .other
  }

  private static let names: [(StaticString, HTMLWord)] = [
    ("a", .a), ("img", .img), ("picture", .picture), ("source", .source), ("script", .script),
    ("style", .style), ("link", .link), ("base", .base), ("amp-img", .img),
  ]

  /// The end tag of an element whose content is no markup; nil when its content is.
  var rawTextEnd: StaticString? {
    switch self {
    case .script: "</script"
    case .style: "</style"
    default: nil
    }
  }
}
