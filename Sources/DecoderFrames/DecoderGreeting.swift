/// What the decoder says of itself before it reads a picture.
package struct DecoderGreeting: Sendable, Equatable {
  /// Of what both sides say to each other; a decoder of another version is not used.
  package static let currentVersion: UInt16 = 1

  package var version: UInt16
  package var protections: ProtectionSet
  /// The decoding library and its version.
  package var library: String

  package init(
    version: UInt16 = currentVersion,
    protections: ProtectionSet,
    library: String
  ) {
    self.version = version
    self.protections = protections
    self.library = library
  }

  package var payload: [UInt8] {
    var writer = FrameWriter()
    writer.write(version)
    writer.write(protections.rawValue)
    writer.write(library)
    return writer.bytes
  }

  package init(payload: ArraySlice<UInt8>) throws(FrameError) {
    var reader = FrameReader(payload)
    version = try reader.number(UInt16.self)
    guard version == Self.currentVersion else { throw .field("version") }
    protections = ProtectionSet(rawValue: try reader.number(UInt16.self))
    library = try reader.text("library")
    try reader.finish()
  }
}
