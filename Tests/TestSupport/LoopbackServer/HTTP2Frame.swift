/// A frame of HTTP/2 (RFC 9113, section 4.1).
struct HTTP2Frame {
  enum Kind: UInt8 {
    case data = 0
    case headers = 1
    case resetStream = 3
    case settings = 4
    case ping = 6
    case goAway = 7
  }

  /// END_STREAM of data and headers, ACK of settings and pings.
  static let first: UInt8 = 0x1
  static let endHeaders: UInt8 = 0x4
  static let headerCount = 9

  /// The kind as received, since the server does not know all kinds.
  var kind: UInt8
  var flags: UInt8
  var stream: UInt32
  var payload: [UInt8]

  init(_ kind: Kind, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) {
    self.kind = kind.rawValue
    self.flags = flags
    self.stream = stream
    self.payload = payload
  }

  /// Removes the first frame from the received bytes; nil while the frame is incomplete.
  init?(taking received: inout [UInt8]) {
    guard received.count >= Self.headerCount else { return nil }
    let length = received[..<3].reduce(0) { $0 << 8 | Int($1) }
    guard received.count >= Self.headerCount + length else { return nil }
    kind = received[3]
    flags = received[4]
    stream = received[5..<9].reduce(0) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
    payload = Array(received[Self.headerCount..<Self.headerCount + length])
    received.removeFirst(Self.headerCount + length)
  }

  var bytes: [UInt8] {
    var bytes = Array(Self.bigEndian(UInt32(payload.count)).dropFirst())
    bytes += [kind, flags]
    bytes += Self.bigEndian(stream)
    return bytes + payload
  }

  static func bigEndian(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}

extension HTTP2Frame {
  /// A response's header, with each field as a literal that is not indexed (RFC 7541, section 6.2.2).
  static func header(_ fields: [(name: String, value: String)], stream: UInt32) -> HTTP2Frame {
    var payload: [UInt8] = []
    for field in fields {
      payload.append(0)
      payload += literal(field.name)
      payload += literal(field.value)
    }
    return HTTP2Frame(.headers, flags: endHeaders, stream: stream, payload)
  }

  static func resetStream(_ code: HTTP2Code, stream: UInt32) -> HTTP2Frame {
    HTTP2Frame(.resetStream, stream: stream, bigEndian(code.rawValue))
  }

  static func goAway(_ code: HTTP2Code, lastStream: UInt32) -> HTTP2Frame {
    HTTP2Frame(.goAway, bigEndian(lastStream) + bigEndian(code.rawValue))
  }

  /// A string without Huffman coding; every name and value here is shorter than 127 bytes.
  private static func literal(_ text: String) -> [UInt8] { [UInt8(text.utf8.count)] + text.utf8 }
}

/// Error codes of HTTP/2 (RFC 9113, section 7).
package enum HTTP2Code: UInt32, Sendable {
  case noError = 0x0
  case protocolError = 0x1
  case internalError = 0x2
  case refusedStream = 0x7
  case cancel = 0x8
  case enhanceYourCalm = 0xB
  case http11Required = 0xD
}

/// A step of the loopback server on a stream of HTTP/2 (RFC 9113).
package enum HTTP2Step: Sendable {
  case header(status: Int, contentLength: Int? = nil)
  case data([UInt8], endsStream: Bool = true)
  /// Ends the stream with an error code (section 7).
  case resetStream(HTTP2Code)
  /// Accepts no more streams on this connection; says whether this one is answered (section 6.8).
  case goAway(HTTP2Code, answersThisStream: Bool)
  /// Closes the connection without a frame.
  case hangUp
}
