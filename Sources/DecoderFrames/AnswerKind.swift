/// What an answer of the decoder brings.
package enum AnswerKind: UInt8, Sendable, CaseIterable {
  /// Said once, unasked, when the decoder is ready.
  case greeting = 1
  case facts = 2
  case thumbnail = 3
  case pixels = 4
  case refusal = 5

  /// The longest payload there may be, in bytes.
  package var payloadLimit: Int {
    switch self {
    case .greeting, .facts, .refusal: FrameLimits.smallPayloadBytes
    case .thumbnail: FrameLimits.smallPayloadBytes + FrameLimits.thumbnailBytes
    case .pixels: FrameLimits.smallPayloadBytes + 4 * FrameLimits.pixels
    }
  }
}
