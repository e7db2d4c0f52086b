package import Models

/// What comes before a thumbnail's bytes in the payload that brings it.
package struct ThumbnailHead: Sendable, Equatable {
  /// Of the picture it was made from.
  package var source: FrameFacts
  /// Of the thumbnail.
  package var format: ImageFormat
  package var width: Int
  package var height: Int

  package init(source: FrameFacts, format: ImageFormat, width: Int, height: Int) {
    self.source = source
    self.format = format
    self.width = width
    self.height = height
  }

  package var bytes: [UInt8] {
    var writer = FrameWriter()
    source.write(to: &writer)
    writer.write(format.frameNumber)
    writer.write(count: width)
    writer.write(count: height)
    return writer.bytes
  }

  /// Takes a payload apart into the head and the thumbnail's bytes.
  package static func parse(
    _ payload: ArraySlice<UInt8>
  ) throws(FrameError) -> (head: ThumbnailHead, body: ArraySlice<UInt8>) {
    var reader = FrameReader(payload)
    let head = ThumbnailHead(
      source: try FrameFacts(from: &reader),
      format: try reader.format(),
      width: try reader.count("width", in: 1...FrameLimits.thumbnailSide),
      height: try reader.count("height", in: 1...FrameLimits.thumbnailSide)
    )
    let body = reader.remainder()
    guard !body.isEmpty, body.count <= FrameLimits.thumbnailBytes else { throw .length }
    return (head, body)
  }
}
