import CXML2

/// What is known of a document's encoding before it is read: its byte order mark, else the charset
/// of the response; without either, libxml2 goes by the declaration and the first bytes.
struct XMLEncoding {
  /// The name to tell libxml2; nil when it shall find out by itself.
  let name: String?
  /// Whether `&` and `<` are the bytes they are in ASCII, and nothing else ever is.
  let isASCIICompatible: Bool

  /// Looks at the beginning of a document whose first `<` is at `start`.
  init(opening: [UInt8], start: Int, charset: String?) {
    let mark = ByteOrderMark(opening) ?? ByteOrderMark(unmarked: opening[start...])
    name = mark?.encodingName ?? charset
    isASCIICompatible = !Self.isModal(name ?? "")
  }

  /// Makes the parser read in this encoding; false when it has to find out by itself.
  func apply(to context: xmlParserCtxtPtr) -> Bool {
    guard let name else { return false }
    if let known = Self.builtIn[name.lowercased()] {
      return xmlSwitchEncoding(context, known) == 0
    }
    guard let handler = xmlFindCharEncodingHandler(name) else { return false }
    return xmlSwitchToEncoding(context, handler) == 0
  }

  /// The encodings that libxml2 itself decodes, better than by way of iconv.
  private static let builtIn = [
    "utf-8": XML_CHAR_ENCODING_UTF8, "utf8": XML_CHAR_ENCODING_UTF8,
    "utf-16le": XML_CHAR_ENCODING_UTF16LE, "utf-16be": XML_CHAR_ENCODING_UTF16BE,
  ]

  /// Encodings that write other things with the bytes of ASCII.
  private static func isModal(_ name: String) -> Bool {
    let name = name.lowercased()
    return name.hasPrefix("iso-2022") || name.hasPrefix("utf-7") || name.hasPrefix("hz")
      || name.hasPrefix("utf-16") || name.hasPrefix("utf-32") || name.hasPrefix("ucs")
  }
}
