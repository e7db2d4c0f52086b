package import Models
package import Workers

/// Returns a given answer to every request for pixels, and records the requests.
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

  /// Creates a stub with an answer; without one, no picture can be decoded.
  package init(_ answer: @escaping Answer = { _ in .failure(.undecodable(message: "it is cut")) }) {
    self.answer = answer
  }

  /// Fails, because no test needs it.
  package func inspect(_ picture: PictureSource) async throws(ImagingError) -> PictureFacts {
    throw .wrongAnswer
  }

  /// Fails, because no test needs it.
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
