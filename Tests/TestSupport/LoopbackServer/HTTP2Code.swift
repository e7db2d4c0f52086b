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
