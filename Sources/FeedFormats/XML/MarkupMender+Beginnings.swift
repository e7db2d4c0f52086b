import Workers

/// What may begin in the text of a document: references and markup of every kind.
extension MarkupMender {
  /// Makes an `&` begin a reference.
  mutating func mendReference(in bytes: Span<UInt8>, at start: Int) -> Int {
    let latest = min(bytes.count, start + Self.longest)
    guard let end = bytes.extracting(0..<latest).first(UInt8(ascii: ";"), from: start + 1),
      let scalar = CharacterReference.scalar(named: bytes.extracting((start + 1)..<end)),
      Self.isAllowed(scalar)
    else {
      note(.bareAmpersand)
      return replace(1, at: start, in: bytes, with: "&amp;")
    }
    write(bytes, upTo: start)
    // By number, because XML knows few of the names.
    output += "&#\(scalar.value);".utf8
    copied = end + 1
    return copied
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x20 { return scalar == "\n" || scalar == "\t" || scalar == "\r" }
    return scalar.value != 0xFFFE && scalar.value != 0xFFFF
  }

  /// Tells what a `<` begins.
  mutating func begin(in bytes: Span<UInt8>, at index: Int) -> Int {
    let next = index + 1 < bytes.count ? bytes[index + 1] : 0
    if Self.beginsName(next) {
      if let end = openWhole(bytes, at: index) { return end }
      // Written when it is known what has to be closed before.
      state = .tagName
      return replace(1, at: index, in: bytes)
    }
    let second = index + 2 < bytes.count ? bytes[index + 2] : 0
    if next == UInt8(ascii: "/"), Self.beginsName(second) {
      if let end = closeWhole(bytes, at: index) { return end }
      // Written when it is known what it closes.
      state = .endTag
      return replace(2, at: index, in: bytes)
    }
    if next == UInt8(ascii: "?"), Self.beginsName(second) { return beginInstruction(bytes, index) }
    return beginDeclaration(bytes, index) ?? escape(bytes, index)
  }

  private mutating func beginInstruction(_ bytes: Span<UInt8>, _ index: Int) -> Int {
    if hasBegun, bytes.begins(with: "<?xml ", at: index) {
      note(.lateDeclaration)
      state = .leftOut(until: UInt8(ascii: ">"))
    } else {
      hasBegun = true
      state = .instruction
    }
    return replace(2, at: index, in: bytes)
  }

  private mutating func beginDeclaration(_ bytes: Span<UInt8>, _ index: Int) -> Int? {
    if bytes.begins(with: "<!--", at: index) {
      hasBegun = true
      state = .comment
      return replace(4, at: index, in: bytes)
    }
    if elements.hasRoot {
      guard bytes.begins(with: "<![CDATA[", at: index) else { return nil }
      state = .section
      return index + 9
    }
    guard bytes.beginsIgnoringCase(with: "<!doctype", at: index) else { return nil }
    hasBegun = true
    state = .declaration(0)
    return replace(9, at: index, in: bytes)
  }

  private mutating func escape(_ bytes: Span<UInt8>, _ index: Int) -> Int {
    note(.bareLessThan)
    return replace(1, at: index, in: bytes, with: elements.hasRoot ? "&#60;" : "")
  }

  static func beginsName(_ byte: UInt8) -> Bool {
    byte.isLetter || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ":") || byte >= 0x80
  }

  /// Whether a byte may stand in a name, asked of most bytes of a document: a look at one bit.
  static func standsInName(_ byte: UInt8) -> Bool {
    if byte >= 0x80 { return true }
    let bits: UInt64 = byte < 0x40 ? 0x07ff_6000_0000_0000 : 0x07ff_fffe_87ff_fffe
    return bits >> UInt64(byte & 0x3f) & 1 == 1
  }
}

/// Where in the markup of a document a reader is.
enum MarkupState {
  /// Before the root, where only markup may stand.
  case prolog
  case text
  /// Behind the root, where nothing is looked for.
  case epilog
  /// Behind what should not have followed the root.
  case afterEnd
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
