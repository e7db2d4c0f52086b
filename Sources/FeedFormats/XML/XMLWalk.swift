import Models
import Workers

/// Follows the elements of a document, and passes them to the format that reads them.
struct XMLWalk {
  private struct Frame {
    let name: XMLName
    let content: XMLContent
    let base: WebAddress?
    /// Whether the format already knows of its end.
    var hasEnded = false
  }

  let source: FeedSource
  private(set) var format: (any XMLFormat)?
  /// The format's type, which can be asked without copying the format.
  private var type: (any XMLFormat.Type)?
  private(set) var failure: FeedError?
  var flaws = Flaws()
  private var names = XMLNames()
  private var stack: [Frame] = []
  private var text: [UInt8] = []
  /// The number of open elements from the outermost one whose children are not read.
  private var unseenDepth = 0

  init(source: FeedSource) { self.source = source }

  /// The kind of the document; nil before its root.
  var kind: FeedFormat.Kind? { type?.kind }

  /// Whether any element is open.
  var isOpen: Bool { !stack.isEmpty }

  /// The entries that are complete.
  mutating func takeEntries() -> [FeedEntry] {
    guard let format, !format.entries.isEmpty else { return [] }
    defer { self.format?.entries = [] }
    return format.entries
  }

  mutating func start(_ spelling: UnsafePointer<UInt8>, _ attributes: XMLAttributes) {
    guard failure == nil else { return }
    let (name, local) = names.enter(spelling, attributes, depth: stack.count)
    do throws(FeedError) {
      guard !names.isFull else {
        throw .beyondLimit(of: "the bytes of different names", limit: FormatLimits.names)
      }
      guard stack.count < FormatLimits.depth else {
        throw .beyondLimit(of: "the nesting of elements", limit: FormatLimits.depth)
      }
      try chooseFormat(root: name, local: local)
      if unseenDepth > 0, type?.beginsEntry(name) == true { endUnseen() }
      if unseenDepth > 0 {
        enterUnseen(local, attributes)
      } else {
        try open(name, attributes)
      }
    } catch {
      failure = error
    }
  }

  mutating func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard !stack.isEmpty else { return }
    let content = stack[stack.count - 1].content
    if unseenDepth == 0, content == .none { return }
    let limit = content == .markup ? FormatLimits.markupText : FormatLimits.elementText
    let room = max(0, limit - text.count)
    if bytes.count > room { flaws.add(.longText(limit: limit)) }
    let fitting = UnsafeBufferPointer(rebasing: bytes.prefix(room))
    if content == .markup, unseenDepth > 1 { return MarkupWriter.escape(fitting, into: &text) }
    text.append(contentsOf: fitting)
  }

  mutating func end(_ name: UnsafePointer<UInt8>) {
    guard failure == nil else { return }
    closeLast(name)
    names.leave(depth: stack.count)
  }

  /// Closes the elements that a truncated document left open.
  ///
  /// It drops the current text, because half of an address is the address of something else. It drops the entry that
  /// is open, too, because its thumbnail would take the place of the original that is missing, even of a stored one;
  /// `withEntry` keeps it in a document that leaves out the end tags of entries.
  mutating func closeAll(withEntry: Bool) {
    if names.hasUndeclared { flaws.add(.undeclaredPrefix) }
    text.removeAll()
    let entry = stack.firstIndex { type?.beginsEntry($0.name) == true }
    if let entry, !withEntry {
      stack.removeSubrange(entry...)
      unseenDepth = 0
    }
    while failure == nil, !stack.isEmpty { closeLast(nil) }
  }

  /// Releases the entries that are held back.
  mutating func release() { format?.release() }

  /// The description of the whole document.
  ///
  /// - Throws: A `FeedError` when no element could be read, or when the document is not a feed.
  func document() throws(FeedError) -> FeedDocument {
    guard let format else { throw .malformed(.noRoot) }
    return try flaws.document { () throws(FeedError) in try format.document() }
  }

  private mutating func chooseFormat(
    root: XMLName,
    local: UnsafeBufferPointer<UInt8>
  ) throws(FeedError) {
    guard type == nil else { return }
    guard let type = Self.formats.first(where: { $0.reads(root: root) }) else {
      let name = String(decoding: local, as: UTF8.self)
      let known = Self.foreignRoots[name.lowercased()]
      throw .notAFeed(looksLike: known ?? "XML with the root element '\(name)'")
    }
    self.type = type
    format = type.init(source: source)
  }

  private static let formats: [any XMLFormat.Type] = [
    RSSFormat.self, AtomFormat.self, OPMLFormat.self, SitemapFormat.self, OEmbedFormat.self,
  ]

  /// Names for documents that are not feeds, by their roots.
  private static let foreignRoots = [
    "html": "an HTML page", "head": "an HTML page", "body": "an HTML page",
    "div": "an HTML page", "script": "an HTML page", "svg": "an SVG image",
    "plist": "a property list", "kml": "a KML map",
    "gpx": "a GPX track", "playlist": "a playlist", "xmpmeta": "XMP metadata",
  ]

  private mutating func open(_ name: XMLName, _ attributes: XMLAttributes) throws(FeedError) {
    var base = stack.last?.base
    if let reference = attributes.base {
      base = (base ?? source.address).resolving(reference) ?? base
    }
    let element = XMLElement(name: name, parent: parent, attributes: attributes, base: base)
    let content = try format?.open(element) ?? .none
    text.removeAll(keepingCapacity: true)
    stack.append(Frame(name: name, content: content, base: base))
    if content != .children { unseenDepth = 1 }
  }

  /// The name of the element around the next one.
  private var parent: XMLName { stack.last { !$0.hasEnded }?.name ?? .document }

  /// Opens an element inside one of which only the text is read.
  private mutating func enterUnseen(
    _ local: UnsafeBufferPointer<UInt8>,
    _ attributes: XMLAttributes
  ) {
    guard let last = stack.last else { return }
    let outer = stack[stack.count - unseenDepth].base
    let base = attributes.base.flatMap { (last.base ?? source.address).resolving($0) } ?? last.base
    if isWritten(local, in: last.content) {
      MarkupWriter.open(local, attributes, base: base == outer ? nil : base, into: &text)
    } else {
      separateWords(around: local)
    }
    stack.append(Frame(name: .document, content: last.content, base: base))
    unseenDepth += 1
  }

  private func isWritten(_ local: UnsafeBufferPointer<UInt8>, in content: XMLContent) -> Bool {
    content == .markup && text.count < FormatLimits.markupText && MarkupWriter.isWritten(local)
  }

  private mutating func separateWords(around local: UnsafeBufferPointer<UInt8>) {
    guard text.count < FormatLimits.markupText,
      HTMLTag.separatesWords(String(decoding: local, as: UTF8.self))
    else { return }
    text.append(0x20)
  }

  /// Closes the innermost element; the name is nil when the document ends first.
  private mutating func closeLast(_ name: UnsafePointer<UInt8>?) {
    guard let frame = stack.popLast(), !frame.hasEnded else { return }
    guard unseenDepth > 1 else {
      unseenDepth = 0
      return close(frame)
    }
    unseenDepth -= 1
    guard let name else { return }
    let local = XMLNames.local(of: name)
    if isWritten(local, in: frame.content) {
      MarkupWriter.close(local, into: &text)
    } else {
      separateWords(around: local)
    }
  }

  private mutating func close(_ frame: Frame) {
    let parent = parent
    format?.close(frame.name, in: parent, text: XMLText(text))
    text.removeAll(keepingCapacity: true)
  }

  /// Ends an element whose children are not read, because an entry begins inside it.
  private mutating func endUnseen() {
    let outermost = stack.count - unseenDepth
    for index in outermost..<stack.count { stack[index].hasEnded = true }
    unseenDepth = 0
    close(stack[outermost])
  }
}

/// Writes elements inside a text as HTML again, so that all HTML is read in the same way.
///
/// A document may contain HTML escaped, in a CDATA section, or as elements (Atom's `xhtml`). The
/// writer keeps only elements that matter for pictures. For the others, it keeps only whether they
/// separate words.
enum MarkupWriter {
  /// Writes a start tag; `base` is the base of its addresses, if it differs from that of the text around it.
  static func open(
    _ local: UnsafeBufferPointer<UInt8>,
    _ attributes: XMLAttributes,
    base: WebAddress?,
    into text: inout [UInt8]
  ) {
    text.append(UInt8(ascii: "<"))
    text += local
    attributes.visit { name, value in
      guard value.count <= FormatLimits.elementText else { return }
      text.append(0x20)
      text += name
      text += "=\"".utf8
      escapeValue(value, into: &text)
      text.append(UInt8(ascii: "\""))
    }
    if let base { text += " xml:base=\"\(base.text.filter { $0 != "\"" })\"".utf8 }
    text.append(UInt8(ascii: ">"))
  }

  /// Writes an end tag.
  static func close(_ local: UnsafeBufferPointer<UInt8>, into text: inout [UInt8]) {
    text += "</".utf8
    text += local
    text.append(UInt8(ascii: ">"))
  }

  /// Whether an element is kept.
  static func isWritten(_ local: UnsafeBufferPointer<UInt8>) -> Bool {
    HTMLWord(Span(_unsafeElements: local)) != .other
  }

  /// Writes characters that are not markup; an `&` stays, because it may begin a reference of HTML.
  static func escape(_ characters: UnsafeBufferPointer<UInt8>, into text: inout [UInt8]) {
    for byte in characters { append(byte, to: &text) }
  }

  private static func escapeValue(_ value: UnsafeBufferPointer<UInt8>, into text: inout [UInt8]) {
    for byte in value {
      if byte == UInt8(ascii: "&") { text += "&amp;".utf8 } else { append(byte, to: &text) }
    }
  }

  private static func append(_ byte: UInt8, to text: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "<"): text += "&lt;".utf8
    case UInt8(ascii: ">"): text += "&gt;".utf8
    case UInt8(ascii: "\""): text += "&#34;".utf8
    default: text.append(byte)
    }
  }
}
