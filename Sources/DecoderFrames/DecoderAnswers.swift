package import Models

/// The kinds of answers of a decoder.
package enum AnswerKind: UInt8, Sendable, CaseIterable {
  /// Sent once, without a request, when the decoder is ready.
  case greeting = 1
  case facts = 2
  case thumbnail = 3
  case pixels = 4
  case refusal = 5
  /// The file of a rendering.
  case rendering = 6
  case colourGrid = 7
  case details = 8

  /// The longest payload of the kind, in bytes.
  package var payloadLimit: Int {
    switch self {
    case .greeting, .facts, .refusal, .details: FrameLimits.smallPayloadBytes
    case .rendering: FrameLimits.renderingBytes
    case .colourGrid: ColourGrid.bytes
    case .thumbnail: FrameLimits.smallPayloadBytes + FrameLimits.thumbnailBytes
    case .pixels: FrameLimits.smallPayloadBytes + 4 * FrameLimits.pixels
    }
  }
}

/// The header before the payload of an answer.
package struct AnswerHeader: Sendable, Equatable {
  package var kind: AnswerKind
  /// The id of the request; 0 in a greeting.
  package var id: UInt64
  /// The length of the payload in bytes.
  package var payloadLength: Int

  package init(kind: AnswerKind, id: UInt64, payloadLength: Int) {
    self.kind = kind
    self.id = id
    self.payloadLength = payloadLength
  }

  /// The length of every header: mark, kind, id and the payload's length.
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

/// Facts about a decoder, which it sends before it reads a picture.
package struct DecoderGreeting: Sendable, Equatable {
  /// The version of the frames; the pool rejects a decoder with another version.
  package static let currentVersion: UInt16 = 4

  package var version: UInt16
  package var protections: Set<DecoderProtection>
  /// The name and version of the decoding library.
  package var library: String
  /// The formats that it draws on this machine.
  package var formats: Set<ImageFormat>

  package init(
    version: UInt16 = currentVersion,
    protections: Set<DecoderProtection>,
    library: String,
    formats: Set<ImageFormat> = []
  ) {
    self.version = version
    self.protections = protections
    self.library = library
    self.formats = formats
  }

  package var payload: [UInt8] {
    var writer = FrameWriter()
    writer.write(version)
    writer.write(protections.reduce(UInt16(0)) { $0 | 1 << $1.rawValue })
    writer.write(library)
    writer.write(formats.reduce(UInt32(0)) { $0 | 1 << UInt32($1.frameNumber) })
    return writer.bytes
  }

  package init(payload: ArraySlice<UInt8>) throws(FrameError) {
    var reader = FrameReader(payload)
    version = try reader.number(UInt16.self)
    guard version == Self.currentVersion else { throw .field("version") }
    let bits = try reader.number(UInt16.self)
    protections = Set(DecoderProtection.allCases.filter { bits >> $0.rawValue & 1 == 1 })
    library = try reader.text("library")
    let numbers = try reader.number(UInt32.self)
    formats = Set(ImageFormat.allCases.filter { numbers >> UInt32($0.frameNumber) & 1 == 1 })
    try reader.finish()
  }
}
