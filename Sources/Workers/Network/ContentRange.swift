/// The `Content-Range` of a response (RFC 9110, section 14.4).
package struct ContentRange: Sendable, Equatable {
  /// The bytes of the whole that the body has, counted from 0; nil when none could be given (416).
  package var bytes: ClosedRange<Int>?
  /// How many bytes the whole has; nil when the server does not know.
  package var total: Int?

  package init(bytes: ClosedRange<Int>?, total: Int?) {
    self.bytes = bytes
    self.total = total
  }
}
