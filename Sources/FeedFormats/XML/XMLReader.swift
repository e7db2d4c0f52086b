import CExpat
import Glibc
import Models
import Workers

/// Reads a document of XML as it arrives: bytes in, entries out.
///
/// `MarkupMender` makes the markup well-formed, expat tells the elements and texts in it, `XMLWalk` hands
/// them to the format. No document type declaration gets through to expat, so no entity is ever declared,
/// multiplied or fetched. Nothing is kept of what has been read, however long the document.
final class XMLReader: KindReader {
  private let parser: XML_Parser
  /// At an address of its own, which expat keeps: only this object and the functions that expat calls
  /// during `parse` use it, never both at a time.
  private let walk: UnsafeMutablePointer<XMLWalk>
  private var mender = MarkupMender()
  /// Whether expat takes no more.
  private var hasStopped = false

  /// Makes a reader; nil when there is no memory.
  init?(source: FeedSource) {
    // The text is UTF-8 by now, whatever it says of itself.
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

  /// The entries that are complete.
  func takeEntries() -> [FeedEntry] { walk.pointee.takeEntries() }

  /// Takes the next bytes.
  func push(_ bytes: ArraySlice<UInt8>) throws(FeedError) {
    try parse(mender.mend(bytes), isLast: false)
  }

  /// Takes the end of the document, and says what it is as a whole.
  ///
  /// - Throws: when not one element could be read.
  func finish() throws(FeedError) -> FeedDocument {
    try parse(mender.finish(), isLast: true)
    if walk.pointee.isOpen { walk.pointee.flaws.add(.cutOff) }
    walk.pointee.closeAll()
    try throwFailure()
    walk.pointee.flaws = Flaws(mender.flaws + walk.pointee.flaws.all)
    return try walk.pointee.document()
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

  /// Expat refuses a document that ends too early, which is said in other words.
  private func stop(isLast: Bool) {
    hasStopped = true
    if isLast, !mender.isWhole { return }
    let isFull = XML_GetErrorCode(parser) == XML_ERROR_NO_MEMORY
    walk.pointee.flaws.add(isFull ? .noMemory : .malformedMarkup)
  }

  private func throwFailure() throws(FeedError) {
    if let failure = walk.pointee.failure { throw failure }
  }

  // MARK: - What expat calls

  private static let start: XML_StartElementHandler = { user, name, attributes in
    guard let walk = XMLReader.walk(user), let name, let attributes else { return }
    // Both are texts of UTF-8.
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

/// The attributes of an element, in expat's memory: of use only while the element is opened.
struct XMLAttributes {
  /// A name, then its value, and so on.
  private let pointers: UnsafePointer<UnsafePointer<UInt8>?>
  let count: Int

  /// Takes them as expat gives them, with a null pointer behind the last.
  init(_ pointers: UnsafePointer<UnsafePointer<UInt8>?>) {
    self.pointers = pointers
    var count = 0
    while pointers[2 * count] != nil, pointers[2 * count + 1] != nil { count += 1 }
    self.count = count
  }

  /// The value of the attribute with that name, its prefix left aside; nil if it is missing or
  /// empty.
  subscript(_ name: StaticString) -> String? {
    for index in 0..<count where isName(at: index, name) { return text(at: index) }
    return nil
  }

  /// The value of the attribute with that name, given in lower case, in any spelling.
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

  /// Hands over every attribute without its prefix.
  func visit(
    _ body: (_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> Void
  ) {
    for index in 0..<count {
      if let local = local(at: index) { body(local, value(at: index)) }
    }
  }

  /// The name of an attribute as it is written, ended by a zero.
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

  /// The name behind the prefix; nil for a declaration of a namespace, which is no attribute.
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

  /// A value without the white space around it; nil when nothing is left, or too much.
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
