import Foundation
import Models
import Workers

@testable import CurlNetwork

/// The header lines of responses, including redirects and interim responses.
struct HeaderTarget: FuzzTarget {
  let name = "header"
  let dictionary = "header"
  let seeds: [Seed] = [
    .text(
      """
      HTTP/1.1 301 Moved\r\nLocation: /b\r\n\r\nHTTP/2 200\r\nContent-Type: image/jpeg; q=1; \
      charset="utf-8"\r\nContent-Length: 1234\r\nETag: W/"a"\r\nLast-Modified: Tue, 03 Nov 2026 \
      08:00:00 GMT\r\nLink: <a?b>; rel="prev", <c>; title="d,<e"; rel="next last"\r\n\r\n
      """
    ),
    .text(
      """
      HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 206 Partial Content\r\nContent-Range: bytes 5-9/10\r\n\
      Cache-Control: max-age=60, no-cache\r\nAge: 5\r\nExpires: 0\r\nRetry-After: 120\r\n\
      Content-Encoding: gzip\r\nDate: Tue, 03 Nov 2026 08:00:00 GMT\r\n\r\n
      """
    ),
    .text("HTTP/1.1 416\r\nContent-Range: bytes */10\r\nRetry-After: Tue, 03 Nov 2026\r\n\r\n"),
  ]

  func run(_ input: [UInt8]) throws(BrokenProperty) {
    var reader = ResponseHeaderReader()
    for line in lines(of: input) { _ = line.withUnsafeBytes { reader.read($0) } }
    try require((reader.contentLength ?? 0) >= 0, "a length below nothing")
    try require((0...9999).contains(reader.status), "a status of \(reader.status)")
    try requireBytes(reader.validators.entityTag, "ETag")
    try requireBytes(reader.validators.lastModified, "Last-Modified")
    try requireBytes(reader.nextPage, "Link")
    if let range = reader.contentRange {
      try require(
        range.bytes.map { $0.lowerBound >= 0 && $0.upperBound < range.total ?? .max }
          ?? (range.total != nil),
        "a range \(range)"
      )
    }
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    let fresh = reader.caching.freshSeconds(madeAt: reader.date ?? now) ?? 0
    try require((0...Int(Int32.max)).contains(fresh), "fresh for \(fresh) seconds")
    if let end = reader.retryAfter?.end(now: now, serverDate: reader.date, longest: .seconds(3600))
    {
      try require(end > now && end <= now.addingTimeInterval(3600), "a pause until \(end)")
    }
  }

  /// The lines with their ends, as libcurl passes them.
  private func lines(of input: [UInt8]) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var rest = input[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: 0x0A).map { $0 + 1 } ?? rest.endIndex
      lines.append(Array(rest[..<end]))
      rest = rest[end...]
    }
    return lines
  }

  /// A text made from bytes must be sendable as the same bytes.
  private func requireBytes(_ text: String?, _ name: StaticString) throws(BrokenProperty) {
    guard let text else { return }
    try require(text.unicodeScalars.allSatisfy { $0.value < 0x100 }, "\(name) is more than bytes")
    try require(!text.unicodeScalars.contains { $0 == "\n" }, "\(name) is more than a line")
    let sendable = !text.unicodeScalars.contains { $0.value == 0 || $0 == "\r" }
    let line = HeaderText.line("\(name)", text)
    try requireEqual(line != nil, sendable, "whether \(name) can be sent")
    let count = "\(name): ".utf8.count + text.unicodeScalars.count + 1
    try requireEqual(line?.count ?? count, count, "the length of \(name)")
  }
}
