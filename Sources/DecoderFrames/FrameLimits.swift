/// The bounds of what the decoder is asked for and answers; both sides hold to them.
package enum FrameLimits {
  /// The longest side of a thumbnail that can be asked for, in pixels.
  package static let thumbnailSide = 4_096
  /// Bytes of an encoded thumbnail.
  package static let thumbnailBytes = 16 << 20
  /// Pixels that can be asked for at once: a little more than a display of 7,680 x 4,320 has.
  package static let pixels = 36_000_000
  /// The longest side of a box for pixels.
  package static let boxSide = 65_535
  /// Seconds of processor time that a picture may take before the decoder ends by SIGPROF.
  package static let processorSeconds = 10
  /// Bytes of a message in the library's words.
  package static let messageBytes = 300
  /// Bytes of a fixed-size frame's rest that no frame needs.
  static let smallPayloadBytes = 1_024
}
