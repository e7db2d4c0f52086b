package import Models

/// What a picture is, as an answer brings it.
package struct FrameFacts: Sendable, Equatable {
  package var format: ImageFormat
  /// Width in pixels as stored, before it is turned.
  package var width: Int
  /// Height in pixels as stored, before it is turned.
  package var height: Int
  /// 1 to 8 as in EXIF.
  package var orientation: Int
  package var isAnimated: Bool
  package var hasAlpha: Bool

  package init(
    format: ImageFormat,
    width: Int,
    height: Int,
    orientation: Int,
    isAnimated: Bool,
    hasAlpha: Bool
  ) {
    self.format = format
    self.width = width
    self.height = height
    self.orientation = orientation
    self.isAnimated = isAnimated
    self.hasAlpha = hasAlpha
  }

  package var payload: [UInt8] {
    var writer = FrameWriter()
    write(to: &writer)
    return writer.bytes
  }

  package init(payload: ArraySlice<UInt8>) throws(FrameError) {
    var reader = FrameReader(payload)
    try self.init(from: &reader)
    try reader.finish()
  }

  func write(to writer: inout FrameWriter) {
    writer.write(format.frameNumber)
    writer.write(count: width)
    writer.write(count: height)
    writer.write(UInt8(clamping: orientation))
    writer.write(isAnimated)
    writer.write(hasAlpha)
  }

  init(from reader: inout FrameReader) throws(FrameError) {
    format = try reader.format()
    width = try reader.count("width", in: 1...Int(Int32.max))
    height = try reader.count("height", in: 1...Int(Int32.max))
    orientation = Int(try reader.number(UInt8.self))
    guard (1...8).contains(orientation) else { throw .field("orientation") }
    isAnimated = try reader.flag("animated")
    hasAlpha = try reader.flag("alpha")
  }
}
