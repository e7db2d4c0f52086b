import FoundationEssentials
import Glibc
import Models
import Workers

/// What a file was like when it was opened.
struct FileFacts: Sendable, Equatable {
  let length: Int
  /// When its content was last written.
  let modified: Date
  /// A strong entity tag: another file, another length or another time of writing, to the nanosecond,
  /// makes another tag.
  let entityTag: String

  init(_ status: stat) {
    let written = status.st_mtim
    length = Int(status.st_size)
    modified = Date(timeIntervalSince1970: TimeInterval(written.tv_sec))
    let parts = [Int(status.st_size), Int(status.st_ino), written.tv_sec, written.tv_nsec]
    entityTag = "\"\(parts.map { String($0, radix: 16) }.joined(separator: "-"))\""
  }

  /// What is to be read for a request; nil when nothing is (304, 416).
  func part(for request: NetworkRequest) -> Range<Int>? {
    if request.validators.entityTag == entityTag { return nil }
    guard let range = request.range, range.validator == entityTag else { return 0..<length }
    return (0..<length).contains(range.offset) ? range.offset..<length : nil
  }

  /// The header of the answer to a request.
  func header(for request: NetworkRequest) -> NetworkHeader {
    var header = NetworkHeader(
      status: 200,
      address: request.address,
      validators: Validators(entityTag: entityTag),
      contentLength: length,
      modified: modified
    )
    guard let part = part(for: request) else { return withoutBody(header, request) }
    if part.lowerBound > 0 {
      header.status = 206
      header.contentLength = part.count
      header.contentRange = ContentRange(bytes: ClosedRange(part), total: length)
    }
    return header
  }

  private func withoutBody(_ header: NetworkHeader, _ request: NetworkRequest) -> NetworkHeader {
    var header = header
    header.contentLength = nil
    header.status = 304
    if request.validators.entityTag != entityTag {
      header.status = 416
      header.contentRange = ContentRange(bytes: nil, total: length)
    }
    return header
  }
}
