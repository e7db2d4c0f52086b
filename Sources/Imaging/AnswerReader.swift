import DecoderFrames
import Models
import PictureFiles
import Workers

/// Makes sure that an answer is one to what was asked, and true as far as that can be seen.
///
/// A decoder that a picture has taken over can say anything: what it calls a thumbnail is looked
/// at as if it came from the network.
struct AnswerReader {
  let order: DecoderOrder

  /// - Returns: The answer, or why the decoder refused.
  func read(
    _ kind: AnswerKind,
    _ payload: [UInt8]
  ) throws(DecoderEnd) -> Result<DecoderAnswer, ImagingError> {
    do throws(FrameError) {
      if kind == .refusal { return .failure(ImagingError(try Refusal(payload: payload[...]))) }
      guard let answer = try answer(kind, payload[...]) else { throw .field("answer") }
      return .success(answer)
    } catch {
      throw .wrongAnswer
    }
  }

  /// nil when it answers something else.
  private func answer(
    _ kind: AnswerKind,
    _ payload: ArraySlice<UInt8>
  ) throws(FrameError) -> DecoderAnswer? {
    switch (order, kind) {
    case (.inspect, .facts): .facts(PictureFacts(try FrameFacts(payload: payload)))
    case (.thumbnail(let side), .thumbnail):
      try thumbnail(payload, longestSide: side).map(DecoderAnswer.thumbnail)
    case (.pixels(let box, _), .pixels): try pixels(payload, box: box).map(DecoderAnswer.pixels)
    default: nil
    }
  }

  private func thumbnail(
    _ payload: ArraySlice<UInt8>,
    longestSide: Int
  ) throws(FrameError) -> MadeThumbnail? {
    let (head, body) = try ThumbnailHead.parse(payload)
    let bytes = [UInt8](body)
    let info = PictureInfo(
      format: head.format,
      bytes: bytes.count,
      width: head.width,
      height: head.height
    )
    let check = PictureCheck(bytes)
    guard max(head.width, head.height) <= longestSide, [.jpeg, .webP].contains(head.format),
      check?.info == info, check?.completeness == .whole
    else { return nil }
    return MadeThumbnail(info: info, bytes: bytes, source: PictureFacts(head.source))
  }

  private func pixels(
    _ payload: ArraySlice<UInt8>,
    box: PixelBox
  ) throws(FrameError) -> DecodedPixels? {
    let (head, body) = try PixelsHead.parse(payload)
    guard head.width <= max(1, box.width), head.height <= max(1, box.height) else { return nil }
    return DecodedPixels(
      width: head.width,
      height: head.height,
      rgba: [UInt8](body),
      source: PictureFacts(head.source)
    )
  }
}
