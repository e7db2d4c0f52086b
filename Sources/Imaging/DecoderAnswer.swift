import DecoderFrames
import Models
import PictureFiles
import Workers

/// An answer of a decoder that has passed all checks.
enum DecoderAnswer: Sendable {
  case facts(PictureFacts)
  case thumbnail(MadeThumbnail)
  case pixels(DecodedPixels)
  /// The file of a rendering.
  case rendering([UInt8])
  /// The bytes of a `ColourGrid`.
  case colourGrid([UInt8])
  case details(PictureDetails)
}

/// Checks that an answer matches the task, and that its claims are true as far as the program can tell.
///
/// A decoder that a picture has taken over can send anything. A file from the decoder gets the same
/// check as a file from the network.
struct AnswerReader {
  let task: DecoderTask

  /// - Returns: The answer, or the decoder's refusal.
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

  /// The answer; nil when it does not match the task.
  private func answer(
    _ kind: AnswerKind,
    _ payload: ArraySlice<UInt8>
  ) throws(FrameError) -> DecoderAnswer? {
    switch (task, kind) {
    case (.inspect, .facts): .facts(try PictureFacts(payload: payload))
    case (.thumbnail(let side), .thumbnail):
      try thumbnail(payload, longestSide: side).map(DecoderAnswer.thumbnail)
    case (.pixels(let width, let height, _), .pixels):
      try pixels(payload, width, height).map(DecoderAnswer.pixels)
    case (.render(let rendering), .rendering):
      file(payload, of: rendering).map(DecoderAnswer.rendering)
    case (.colourGrid, .colourGrid):
      payload.count == ColourGrid.bytes ? .colourGrid([UInt8](payload)) : nil
    case (.details, .details): .details(try PictureDetails(payload: payload))
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
    guard ThumbnailSides.allow(head.width, head.height, longestSide: longestSide),
      [.jpeg, .webP].contains(head.format),
      check?.info == info, check?.completeness == .whole
    else { return nil }
    return MadeThumbnail(info: info, bytes: bytes, source: head.source)
  }

  private func file(_ payload: ArraySlice<UInt8>, of rendering: Rendering) -> [UInt8]? {
    let bytes = [UInt8](payload)
    let (width, height) = rendering.turned
    let info = PictureInfo(
      format: rendering.encoding.format,
      bytes: bytes.count,
      width: width,
      height: height
    )
    let check = PictureCheck(bytes)
    return check?.info == info && check?.completeness == .whole ? bytes : nil
  }

  private func pixels(
    _ payload: ArraySlice<UInt8>,
    _ width: Int,
    _ height: Int
  ) throws(FrameError) -> DecodedPixels? {
    let (head, body) = try PixelsHead.parse(payload)
    guard head.width <= width, head.height <= height else { return nil }
    return DecodedPixels(
      width: head.width,
      height: head.height,
      rgba: [UInt8](body),
      source: head.source
    )
  }
}

extension ImagingError {
  init(_ refusal: Refusal) {
    self =
      switch refusal {
      case .notAPicture(let kind): .notAPicture(looksLike: Self.harmless(kind))
      case .unsupported(let format): .unsupported(format)
      case .undrawn(let format, let kind): .undrawn(format, kind)
      case .tooMuchMemory(let limit): .tooMuchMemory(limit: limit)
      case .tooManyPixels(let width, let height, let limit):
        .tooManyPixels(width: width, height: height, limit: limit)
      case .tooManyDecodedBytes(let bytes, let limit): .tooManyDecodedBytes(bytes, limit: limit)
      case .resultTooLarge(let limit): .resultTooLarge(limit: limit)
      case .undecodable(let message): .undecodable(message: Self.harmless(message))
      case .refused(let message): .refused(message: Self.harmless(message))
      }
  }

  /// A message as one line of printable ASCII, so that it is safe to show.
  private static func harmless(_ message: String) -> String {
    let scalars = message.unicodeScalars.map {
      $0.isASCII && $0.value >= 32 && $0.value < 127 ? $0 : " "
    }
    return String(String.UnicodeScalarView(scalars))
  }
}
