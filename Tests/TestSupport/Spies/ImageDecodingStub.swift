package import Models
package import Workers

/// Answers every question for pixels as it was told, and notes what it is asked.
package final class ImageDecodingStub: ImageDecoding {
  package struct Question: Equatable, Sendable {
    package var picture: PictureSource
    package var box: PixelSize
    package var extent: PictureExtent

    package init(_ picture: PictureSource, fitting box: PixelSize, _ extent: PictureExtent) {
      self.picture = picture
      self.box = box
      self.extent = extent
    }
  }

  package typealias Answer =
    @Sendable (PictureSource) -> Result<DecodedPixels, ImagingError>

  package var questions: [Question] { recorded.withLock { $0 } }
  private let recorded = Locked<[Question]>([])
  private let answer: Answer

  /// Takes what it answers; without that, no picture can be decoded.
  package init(_ answer: @escaping Answer = { _ in .failure(.undecodable(message: "it is cut")) }) {
    self.answer = answer
  }

  /// Nobody asks for it here.
  package func inspect(_ picture: PictureSource) async throws(ImagingError) -> PictureFacts {
    throw .wrongAnswer
  }

  /// Nobody asks for it here.
  package func thumbnail(
    of picture: PictureSource,
    longestSide: Int
  ) async throws(ImagingError) -> MadeThumbnail {
    throw .wrongAnswer
  }

  package func pixels(
    of picture: PictureSource,
    fitting box: PixelSize,
    extent: PictureExtent
  ) async throws(ImagingError) -> DecodedPixels {
    recorded.withLock { $0.append(Question(picture, fitting: box, extent)) }
    return try answer(picture).get()
  }
}
