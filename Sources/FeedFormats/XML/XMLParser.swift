import CXML2
import Models
import Workers

/// libxml2's push parser: bytes in, events for an `XMLReader` out.
///
/// It recovers from whatever libxml2 can recover from, fetches nothing, and expands no entities:
/// the options leave both out, and `XML_PARSE_HUGE` with its missing limits is never set.
///
/// - No document is built: of libxml2's callbacks only those below are set, so memory does not
///   grow with the document.
/// - Bytes are handed on in blocks of one size, however they came: what libxml2 makes of damaged
///   documents depends on where its input was cut, and a feed must not read differently for being
///   sent in other packets.
final class XMLParser {
  private let context: xmlParserCtxtPtr
  private let reader: XMLReader
  private var mender = MarkupMender()
  private var waiting: [UInt8] = []

  /// Makes a parser that reports to `reader`; nil when there is no memory.
  init?(reader: XMLReader) {
    var handler = Self.handler
    // The reader outlives the context, which only this object uses: it holds them both.
    let address = Unmanaged.passUnretained(reader).toOpaque()
    guard let context = xmlCreatePushParserCtxt(&handler, address, nil, 0, nil) else { return nil }
    self.context = context
    self.reader = reader
    // The text is UTF-8 by now, whatever it says of itself.
    xmlSwitchEncoding(context, xmlCharEncoding(CXML2_CHAR_ENCODING_UTF8))
    let options = CXML2_PARSE_RECOVER | CXML2_PARSE_NONET | CXML2_PARSE_IGNORE_ENC
    xmlCtxtUseOptions(context, Int32(options))
  }

  deinit { cxml2_free(context) }

  /// Takes the next bytes.
  func push(_ bytes: ArraySlice<UInt8>) throws(FeedError) {
    waiting += bytes
    var start = 0
    while waiting.count - start >= FormatLimits.block {
      try parse(waiting[start..<(start + FormatLimits.block)])
      start += FormatLimits.block
    }
    if start > 0 { waiting.removeSubrange(..<start) }
  }

  /// Takes the end of the document.
  func finish() throws(FeedError) {
    try parse(waiting[...])
    waiting = []
    let rest = mender.finish()
    takeFlaws()
    try hand(rest[...])
    // At its end libxml2 would take a tag that is cut off for an element without the rest.
    if mender.isInTag {
      reader.endsOddly()
    } else {
      cxml2_be_quiet()
      xmlParseChunk(context, nil, 0, 1)
    }
    reader.closeAll()
    try throwFailure()
  }

  private func parse(_ block: ArraySlice<UInt8>) throws(FeedError) {
    let mended = mender.mend(block)
    takeFlaws()
    try hand(mended[...])
  }

  private func takeFlaws() {
    for flaw in mender.takeFlaws() { reader.note(flaw) }
  }

  private func hand(_ bytes: ArraySlice<UInt8>) throws(FeedError) {
    cxml2_be_quiet()
    bytes.withUnsafeBytes { buffer in
      let start = buffer.bindMemory(to: CChar.self).baseAddress
      xmlParseChunk(context, start, Int32(buffer.count), 0)
    }
    try throwFailure()
    guard cxml2_name_bytes(context) <= FormatLimits.names else {
      throw .beyondLimit(of: "the bytes of different names", limit: FormatLimits.names)
    }
  }

  private func throwFailure() throws(FeedError) {
    guard let failure = reader.failure else { return }
    throw failure
  }

  private static var handler: xmlSAXHandler {
    var handler = xmlSAXHandler()
    handler.initialized = cxml2_sax2_magic
    handler.startElementNs = { user, local, prefix, address, _, _, count, defaults, attributes in
      guard let reader = XMLParser.reader(user) else { return }
      // Those that a declaration gives to every element stand last; no feed means them.
      let attributes = XMLAttributes(attributes, count: Int(count - defaults))
      reader.start(local: local, prefix: prefix, address: address, attributes: attributes)
    }
    handler.endElementNs = { user, local, _, _ in XMLParser.reader(user)?.end(local: local) }
    handler.characters = XMLParser.characters
    handler.ignorableWhitespace = XMLParser.characters
    handler.cdataBlock = XMLParser.characters
    handler.internalSubset = { user, name, _, _ in
      guard let name else { return }
      XMLParser.reader(user)?.declares(rootName: String(cString: name))
    }
    handler.serror = { user, error in
      guard let error else { return }
      XMLParser.complain(error.pointee, to: XMLParser.reader(user))
    }
    return handler
  }

  private static let characters:
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafePointer<xmlChar>?, Int32
    ) -> Void = { user, start, count in
      guard let start else { return }
      let bytes = UnsafeBufferPointer(start: start, count: Int(count))
      XMLParser.reader(user)?.characters(bytes)
    }

  private static func complain(_ error: xmlError, to reader: XMLReader?) {
    guard let reader, Int(error.level) != CXML2_ERR_WARNING, !isHarmless(error.code) else { return }
    if isOddEnd(error.code) { return reader.endsOddly() }
    let isStrayEnd = error.code == CXML2_ERR_TAG_NAME_MISMATCH
    let end = isStrayEnd ? error.str2.map { String(cString: $0) } : nil
    reader.complaint(flaw(error), strayEnd: end)
  }

  private static func flaw(_ error: xmlError) -> DocumentFlaw {
    error.code == CXML2_NS_ERR_UNDEFINED_NAMESPACE
      ? .undeclaredPrefix : .malformedMarkup(line: Int(error.line))
  }

  /// Whether the document has ended too early: libxml2 says so in another way from 2.14 on.
  private static func isOddEnd(_ code: Int32) -> Bool {
    code == CXML2_ERR_DOCUMENT_END || code == CXML2_ERR_TAG_NOT_FINISHED
  }

  /// Neither an odd namespace, which is known by its address all the same, nor a declaration in another
  /// document, which is not fetched, is worth a word.
  private static func isHarmless(_ code: Int32) -> Bool {
    code == CXML2_WAR_NS_URI || code == CXML2_ERR_UNDECLARED_ENTITY
  }

  private static func reader(_ user: UnsafeMutableRawPointer?) -> XMLReader? {
    user.map { Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }
  }
}
