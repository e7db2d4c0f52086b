/// What comes before the payload of an answer.
package struct AnswerHeader: Sendable, Equatable {
  package var kind: AnswerKind
  /// The request's; 0 in a greeting.
  package var id: UInt64
  /// Bytes of the payload that follows.
  package var payloadLength: Int

  package init(kind: AnswerKind, id: UInt64, payloadLength: Int) {
    self.kind = kind
    self.id = id
    self.payloadLength = payloadLength
  }

  /// Every header has this length: mark, kind, id, payload's length.
  package static let length = 4 + 1 + 8 + 8

  /// "GDA1" in the order of its bytes.
  private static let mark: UInt32 = 0x3141_4447

  package var bytes: [UInt8] {
    var writer = FrameWriter()
    writer.write(Self.mark)
    writer.write(kind.rawValue)
    writer.write(id)
    writer.write(count: payloadLength)
    return writer.bytes
  }

  package init(_ bytes: ArraySlice<UInt8>) throws(FrameError) {
    var reader = FrameReader(bytes)
    guard try reader.number(UInt32.self) == Self.mark else { throw .notAFrame }
    guard let kind = AnswerKind(rawValue: try reader.number(UInt8.self)) else {
      throw .field("kind")
    }
    self.kind = kind
    id = try reader.number(UInt64.self)
    payloadLength = try reader.count("length", in: 0...Int.max)
    try reader.finish()
    guard payloadLength <= kind.payloadLimit else { throw .tooLong(limit: kind.payloadLimit) }
  }
}
