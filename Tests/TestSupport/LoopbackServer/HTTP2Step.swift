/// What the loopback server does with a stream of HTTP/2 (RFC 9113).
package enum HTTP2Step: Sendable {
  case header(status: Int, contentLength: Int? = nil)
  case data([UInt8], endsStream: Bool = true)
  /// Ends the stream with an error code (section 7).
  case resetStream(HTTP2Code)
  /// Takes no more streams on this connection; says whether this one is answered (section 6.8).
  case goAway(HTTP2Code, answersThisStream: Bool)
  /// Ends the connection without another word.
  case hangUp
}
