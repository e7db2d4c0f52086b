/// Somewhere that takes bytes.
package protocol ByteSink: Sendable {
  func write(_ bytes: [UInt8])
}
