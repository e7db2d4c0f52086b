internal import CVips
import DecoderFrames

/// The pixels of a picture, row by row without gaps.
struct PixelMemory: ~Copyable {
  let head: PixelsHead
  let bytes: UnsafeRawBufferPointer

  init(_ picture: borrowing Picture, of source: FrameFacts) throws(Refusal) {
    head = PixelsHead(source: source, width: picture.width, height: picture.height)
    var count = 0
    guard let start = vips_image_write_to_memory(picture.pointer, &count) else {
      throw VipsMessage.refusal()
    }
    bytes = UnsafeRawBufferPointer(start: start, count: count)
  }

  deinit { g_free(UnsafeMutableRawPointer(mutating: bytes.baseAddress)) }
}
