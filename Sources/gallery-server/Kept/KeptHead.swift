import HTTPTypes
import NIOCore

/// The head of a kept answer, whose date is that of a second.
struct KeptHead {
  private(set) var response: HTTPResponse
  /// The same as it is sent over HTTP/1.1 (RFC 9112, sections 2.1, 4 and 5); laid out once, because that takes longer
  /// than all that is done for a request besides.
  private(set) var bytes: ByteBuffer
  /// The place of the date in the bytes.
  private var dateOffset = 0
  private var second = Int.min

  /// - Parameter response: The head as the routes have given it. Its second is not known, so its date is replaced before
  ///   it is sent.
  init(_ response: HTTPResponse) {
    var response = response
    response.headerFields[.date] = "Thu, 01 Jan 1970 00:00:00 GMT"
    self.response = response
    bytes = ByteBufferAllocator().buffer(capacity: 512)
    bytes.writeString("HTTP/1.1 \(response.status.code) \(response.status.reasonPhrase)\r\n")
    for field in response.headerFields {
      // An answer without content must not declare what follows it (RFC 9110, section 15.4.5).
      if response.status == .notModified, field.name == .contentLength { continue }
      bytes.writeString("\(field.name.rawName): ")
      if field.name == .date { dateOffset = bytes.writerIndex }
      bytes.writeString("\(field.value)\r\n")
    }
    bytes.writeString("\r\n")
  }

  /// Changes the date; all dates have the same length (RFC 9110, section 5.6.7).
  mutating func date(_ date: (second: Int, text: String)) {
    if second == date.second { return }
    second = date.second
    response.headerFields[.date] = date.text
    bytes.setString(date.text, at: dateOffset)
  }
}
