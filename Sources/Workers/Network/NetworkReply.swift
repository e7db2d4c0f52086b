/// A response whose whole body has come.
package struct NetworkReply: Sendable, Equatable {
  package var header: NetworkHeader
  package var body: [UInt8]
  /// Bytes that came over the wire for it: header and body as sent.
  package var wireBytes: Int

  package init(header: NetworkHeader, body: [UInt8], wireBytes: Int) {
    self.header = header
    self.body = body
    self.wireBytes = wireBytes
  }
}
