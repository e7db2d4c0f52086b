/// What comes before the pixels in the payload that brings them: four bytes each, row by row.
package struct PixelsHead: Sendable, Equatable {
  /// Of the picture they were made from.
  package var source: FrameFacts
  package var width: Int
  package var height: Int

  package init(source: FrameFacts, width: Int, height: Int) {
    self.source = source
    self.width = width
    self.height = height
  }

  package var bytes: [UInt8] {
    var writer = FrameWriter()
    source.write(to: &writer)
    writer.write(count: width)
    writer.write(count: height)
    return writer.bytes
  }

  /// Takes a payload apart into the head and the pixels.
  package static func parse(
    _ payload: ArraySlice<UInt8>
  ) throws(FrameError) -> (head: PixelsHead, body: ArraySlice<UInt8>) {
    var reader = FrameReader(payload)
    let head = PixelsHead(
      source: try FrameFacts(from: &reader),
      width: try reader.count("width", in: 1...FrameLimits.boxSide),
      height: try reader.count("height", in: 1...FrameLimits.boxSide)
    )
    let body = reader.remainder()
    let pixels = head.width * head.height
    guard pixels <= FrameLimits.pixels, body.count == 4 * pixels else { throw .length }
    return (head, body)
  }
}
