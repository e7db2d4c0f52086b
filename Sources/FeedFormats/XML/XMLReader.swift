import CExpat
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
    walk.pointee.flaws = Flaws(mender.takeFlaws() + walk.pointee.flaws.all)
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
