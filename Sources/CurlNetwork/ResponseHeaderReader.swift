import Models
import Workers

/// Picks what is needed out of the header lines libcurl passes on, until the final header is whole.
///
/// Lines of interim responses (1xx) and of redirects that are followed come first; each status line
/// begins anew.
struct ResponseHeaderReader {
  enum Progress {
    case incomplete
    /// The final header has just become whole.
    case complete
    case tooLarge
  }

  private(set) var status = 0
  private(set) var isHTTP2 = false
  private(set) var isRedirected = false
  private(set) var isComplete = false
  private(set) var validators = Validators()
  private(set) var mediaType: String?
  private(set) var charset: String?
  private(set) var contentLength: Int?
  private(set) var isEncoded = false
  /// The next page, as a `Link` field names it.
  private(set) var nextPage: String?
  private var hasLocation = false
  private var byteCount = 0

  mutating func read(_ line: UnsafeRawBufferPointer) -> Progress {
    // What follows the final header are trailers.
    if isComplete { return .incomplete }
    byteCount += line.count
    if byteCount > TransferLimits.headerBytes { return .tooLarge }
    let content = FieldLine.trimmed(line)
    if content.isEmpty { return endOfHeader() }
    if FieldLine.begins(content, with: "http/") { begin(content) } else { readField(content) }
    return .incomplete
  }

  private mutating func endOfHeader() -> Progress {
    let isFollowed = (300..<400).contains(status) && hasLocation
    if isFollowed { isRedirected = true }
    isComplete = status >= 200 && !isFollowed
    return isComplete ? .complete : .incomplete
  }

  private mutating func begin(_ line: Slice<UnsafeRawBufferPointer>) {
    let wasRedirected = isRedirected
    self = ResponseHeaderReader()
    isRedirected = wasRedirected
    byteCount = line.count
    isHTTP2 = FieldLine.begins(line, with: "http/2")
    status = FieldLine.number(line.drop { $0 != UInt8(ascii: " ") }.prefix(4)) ?? 0
  }

  /// Looks at the first letter first: most fields are none of ours.
  private mutating func readField(_ line: Slice<UnsafeRawBufferPointer>) {
    switch line[line.startIndex] | 0x20 {
    case UInt8(ascii: "c"): readContentField(line)
    case UInt8(ascii: "e"):
      FieldLine.value("etag:", line).map { validators.entityTag = HeaderText.decoded($0) }
    case UInt8(ascii: "l"):
      FieldLine.value("last-modified:", line)
        .map { validators.lastModified = HeaderText.decoded($0) }
      if FieldLine.value("location:", line) != nil { hasLocation = true }
      FieldLine.value("link:", line).map { nextPage = nextPage ?? LinkField.next($0) }
    default: break
    }
  }

  private mutating func readContentField(_ line: Slice<UnsafeRawBufferPointer>) {
    if let value = FieldLine.value("content-type:", line) {
      (mediaType, charset) = MediaType.parts(value)
    } else if let value = FieldLine.value("content-length:", line) {
      contentLength = FieldLine.number(value)
    } else if FieldLine.value("content-encoding:", line) != nil {
      isEncoded = true
    }
  }
}
