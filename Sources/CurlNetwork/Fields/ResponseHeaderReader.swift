import FoundationEssentials
import Models
import Workers

/// Reads the required fields from header lines, until the final header is complete.
///
/// The headers of interim responses (1xx) and of redirects come first. Each status line begins a new header.
struct ResponseHeaderReader {
  enum Progress {
    case incomplete
    /// The header of a redirect to `location` is complete.
    case redirected
    /// The final header is complete.
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
  private(set) var contentRange: ContentRange?
  private(set) var coding = ContentCoding.plain
  private(set) var caching = CachingFields()
  private(set) var date: Date?
  /// The `Last-Modified` field as a date.
  private(set) var modified: Date?
  private(set) var retryAfter: RetryAfterField?
  /// The target of a redirect, as written.
  private(set) var location: String?
  /// The next page in a `Link` field, as written.
  private(set) var nextPage: String?
  /// The hubs in `Link` fields, and the document's own address in them, as written (WebSub, section 4).
  private(set) var hubs: [String] = []
  private(set) var topic: String?
  private var byteCount = 0

  /// Begins a header; `isRedirected` says whether a redirect preceded it.
  init(isRedirected: Bool = false) { self.isRedirected = isRedirected }

  mutating func read(_ line: UnsafeRawBufferPointer) -> Progress {
    byteCount += line.count
    if byteCount > TransferLimits.headerBytes { return .tooLarge }
    // Lines after the final header are trailers.
    if isComplete { return .incomplete }
    let content = FieldLine.trimmed(line)
    if content.isEmpty { return endOfHeader() }
    readLine(content)
    return .incomplete
  }

  private mutating func endOfHeader() -> Progress {
    if isRedirect, location != nil {
      isRedirected = true
      return .redirected
    }
    isComplete = status >= 200
    return isComplete ? .complete : .incomplete
  }

  private var isRedirect: Bool { (300..<400).contains(status) }

  /// Begins a new header with its status line.
  ///
  /// The bytes of interim responses count as a part of the header that follows them.
  private mutating func begin(_ line: Slice<UnsafeRawBufferPointer>) {
    let bytesBefore = status < 200 ? byteCount : line.count
    self = ResponseHeaderReader(isRedirected: isRedirected)
    byteCount = bytesBefore
    isHTTP2 = FieldLine.begins(line, with: "http/2")
    status = FieldLine.number(line.drop { $0 != UInt8(ascii: " ") }.prefix(4)) ?? 0
  }

  /// Reads a field; its first letter rules out most fields that are not needed.
  private mutating func readLine(_ line: Slice<UnsafeRawBufferPointer>) {
    switch line[line.startIndex] | 0x20 {
    case UInt8(ascii: "a"): FieldLine.value("age:", line).map { caching.readAge($0) }
    case UInt8(ascii: "c"): readContentField(line)
    case UInt8(ascii: "d"):
      FieldLine.value("date:", line).map { date = FieldDate.date($0) }
    case UInt8(ascii: "e"):
      FieldLine.value("etag:", line).map { validators.entityTag = HeaderText.decoded($0) }
      FieldLine.value("expires:", line).map { caching.readExpires($0) }
    case UInt8(ascii: "h"): if FieldLine.begins(line, with: "http/") { begin(line) }
    case UInt8(ascii: "l"): readLinkField(line)
    case UInt8(ascii: "r"):
      FieldLine.value("retry-after:", line).map { retryAfter = RetryAfterField($0) }
    default: break
    }
  }

  private mutating func readLinkField(_ line: Slice<UnsafeRawBufferPointer>) {
    if let value = FieldLine.value("last-modified:", line) {
      validators.lastModified = HeaderText.decoded(value)
      modified = FieldDate.date(value)
    } else if isRedirect, let value = FieldLine.value("location:", line) {
      location = String(decoding: value, as: UTF8.self)
    } else if let value = FieldLine.value("link:", line) {
      nextPage = nextPage ?? LinkField.targets(of: "next", in: value).first
      topic = topic ?? LinkField.targets(of: "self", in: value).first
      let room = PushLinks.hubsLookedAt - hubs.count
      hubs += LinkField.targets(of: "hub", in: value).prefix(room)
    }
  }

  private mutating func readContentField(_ line: Slice<UnsafeRawBufferPointer>) {
    if let value = FieldLine.value("cache-control:", line) { caching.readCacheControl(value) }
    guard FieldLine.begins(line, with: "content-") else { return }
    if let value = FieldLine.value("content-type:", line) {
      (mediaType, charset) = MediaType.parts(value)
    } else if let value = FieldLine.value("content-length:", line) {
      contentLength = FieldLine.number(value)
    } else if let value = FieldLine.value("content-encoding:", line) {
      coding = ContentCoding(value)
    } else if let value = FieldLine.value("content-range:", line) {
      contentRange = ContentRangeField.range(value)
    }
  }
}
