import CExpat
import Glibc
import Models
import Workers

/// Reads an XML document as it arrives: bytes in, entries out.
///
/// `MarkupMender` makes the markup well-formed, expat finds its elements and texts, and `XMLWalk`
/// passes them to the format. Expat receives no document type declaration, so that no entity is
/// ever declared, expanded or fetched. The reader keeps nothing that it has read, however long the
/// document is.
final class XMLReader: KindReader {
  private let parser: XML_Parser
  /// The walk, at a fixed address that expat keeps.
  ///
  /// Only this object and the functions that expat calls during `parse` use it, never both at a time.
  private let walk: UnsafeMutablePointer<XMLWalk>
  private var mender = MarkupMender()
  /// Whether expat has stopped and accepts no more bytes.
  private var hasStopped = false

  /// Makes a reader; nil when there is no memory.
  init?(source: FeedSource) {
    // The text is UTF-8 already, whatever encoding it declares.
    guard let parser = XML_ParserCreate("UTF-8") else { return nil }
    self.parser = parser
    walk = .allocate(capacity: 1)
    walk.initialize(to: XMLWalk(source: source))
    XML_SetUserData(parser, walk)
    XML_SetElementHandler(parser, Self.start, Self.end)
    XML_SetCharacterDataHandler(parser, Self.characters)
  }

  deinit {
    XML_ParserFree(parser)
    walk.deinitialize(count: 1)
    walk.deallocate()
  }

  var kind: FeedFormat.Kind? { walk.pointee.kind }

  /// The entries that are complete.
  func takeEntries() -> [FeedEntry] { walk.pointee.takeEntries() }

  /// Reads the next bytes.
  func push(_ bytes: ArraySlice<UInt8>) throws(FeedError) {
    try parse(mender.mend(bytes), isLast: false)
  }

  /// Ends the document, and returns its description.
  ///
  /// - Throws: A `FeedError` when no element could be read, or when the document is not a feed.
  func finish() throws(FeedError) -> FeedDocument {
    try parse(mender.finish(), isLast: true)
    if walk.pointee.isOpen { walk.pointee.flaws.add(.cutOff) }
    walk.pointee.closeAll(withEntry: mender.endsNoEntries)
    try throwFailure()
    walk.pointee.release()
    walk.pointee.flaws = Flaws(mender.flaws + walk.pointee.flaws.all)
    return try walk.pointee.document()
  }

  func breakOff() -> [FeedEntry] {
    walk.pointee.release()
    return takeEntries()
  }

  private func parse(_ bytes: [UInt8], isLast: Bool) throws(FeedError) {
    if !hasStopped, !hand(bytes, isLast: isLast) { stop(isLast: isLast) }
    try throwFailure()
  }

  private func hand(_ bytes: [UInt8], isLast: Bool) -> Bool {
    bytes.withUnsafeBytes { buffer in
      let start = buffer.bindMemory(to: CChar.self).baseAddress
      return XML_Parse(parser, start, Int32(buffer.count), isLast ? 1 : 0) == XML_STATUS_OK
    }
  }

  /// Notes that expat refused the document; a document that ends too early has a different flaw.
  private func stop(isLast: Bool) {
    hasStopped = true
    if isLast, !mender.isWhole { return }
    let isFull = XML_GetErrorCode(parser) == XML_ERROR_NO_MEMORY
    walk.pointee.flaws.add(isFull ? .noMemory : .malformedMarkup)
  }

  private func throwFailure() throws(FeedError) {
    if let failure = walk.pointee.failure { throw failure }
  }

  // MARK: - Callbacks of expat

  private static let start: XML_StartElementHandler = { user, name, attributes in
    guard let walk = XMLReader.walk(user), let name, let attributes else { return }
    // Both are UTF-8 text.
    let pointers = UnsafeRawPointer(attributes).assumingMemoryBound(to: UnsafePointer<UInt8>?.self)
    walk.pointee.start(XMLReader.bytes(name), XMLAttributes(pointers))
  }

  private static let end: XML_EndElementHandler = { user, name in
    guard let walk = XMLReader.walk(user), let name else { return }
    walk.pointee.end(XMLReader.bytes(name))
  }

  private static let characters: XML_CharacterDataHandler = { user, start, count in
    guard let walk = XMLReader.walk(user), let start else { return }
    walk.pointee.characters(
      UnsafeBufferPointer(start: XMLReader.bytes(start), count: Int(count))
    )
  }

  private static func walk(_ user: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<XMLWalk>? {
    user?.assumingMemoryBound(to: XMLWalk.self)
  }

  private static func bytes(_ text: UnsafePointer<XML_Char>) -> UnsafePointer<UInt8> {
    UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self)
  }
}

/// The attributes of an element, in expat's memory: valid only while the start tag is handled.
struct XMLAttributes {
  /// Each name, followed by its value.
  private let pointers: UnsafePointer<UnsafePointer<UInt8>?>
  let count: Int

  /// Takes the attributes from expat, with a null pointer after the last one.
  init(_ pointers: UnsafePointer<UnsafePointer<UInt8>?>) {
    self.pointers = pointers
    var count = 0
    while pointers[2 * count] != nil, pointers[2 * count + 1] != nil { count += 1 }
    self.count = count
  }

  /// The value of the attribute with a name, ignoring prefixes; nil if it is missing, empty or too long.
  subscript(_ name: StaticString) -> String? {
    for index in 0..<count where isName(at: index, name) { return text(at: index) }
    return nil
  }

  /// The value of the attribute with a name, which is given in lower case but may be written in any case.
  func value(ignoringCase name: StaticString) -> String? {
    for index in 0..<count {
      guard let local = local(at: index), local.count == name.utf8CodeUnitCount,
        Span(_unsafeElements: local).beginsIgnoringCase(with: name, at: 0)
      else { continue }
      if let value = text(at: index) { return value }
    }
    return nil
  }

  /// The value of `xml:base`.
  var base: String? {
    for index in 0..<count where Self.name(name(at: index), is: "xml:base") {
      return text(at: index)
    }
    return nil
  }

  /// The value as a number of pixels or bytes: its leading digits.
  func number(_ name: StaticString) -> Int? { self[name].flatMap { DeclaredNumber.read($0) } }

  /// Passes every attribute to a closure, without its prefix.
  func visit(
    _ body: (_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> Void
  ) {
    for index in 0..<count {
      if let local = local(at: index) { body(local, value(at: index)) }
    }
  }

  /// The name of an attribute as written, terminated by a zero.
  func name(at index: Int) -> UnsafePointer<UInt8> {
    // `count` ends before the first null pointer.
    pointers[2 * index].unsafelyUnwrapped
  }

  private func isName(at index: Int, _ expected: StaticString) -> Bool {
    unprefixed(at: index).map { Self.name($0, is: expected) } ?? false
  }

  /// The value of an attribute.
  func value(at index: Int) -> UnsafeBufferPointer<UInt8> {
    let start = pointers[2 * index + 1].unsafelyUnwrapped
    return UnsafeBufferPointer(start: start, count: Self.length(start))
  }

  /// The name after the prefix; nil for a namespace declaration, which is not an attribute.
  private func local(at index: Int) -> UnsafeBufferPointer<UInt8>? {
    unprefixed(at: index).map { UnsafeBufferPointer(start: $0, count: Self.length($0)) }
  }

  private func unprefixed(at index: Int) -> UnsafePointer<UInt8>? {
    let name = name(at: index)
    var count = 0
    while name[count] != 0, name[count] != UInt8(ascii: ":") { count += 1 }
    if count == 5, memcmp(name, "xmlns", 5) == 0 { return nil }
    return name[count] == 0 ? name : name + count + 1
  }

  /// A value without surrounding white space; nil when it is empty or too long.
  private func text(at index: Int) -> String? {
    let value = value(at: index)
    guard value.count <= FormatLimits.address else { return nil }
    let range = Span(_unsafeElements: value).trimmedRange
    return range.isEmpty ? nil : String(decoding: value[range], as: UTF8.self)
  }

  private static func name(_ name: UnsafePointer<UInt8>, is expected: StaticString) -> Bool {
    let start = expected.utf8Start
    var index = 0
    while name[index] != 0, name[index] == start[index] { index += 1 }
    // Both end with a zero.
    return name[index] == start[index]
  }

  private static func length(_ text: UnsafePointer<UInt8>) -> Int {
    strlen(UnsafeRawPointer(text).assumingMemoryBound(to: CChar.self))
  }
}
