package import Models

/// Decodes pictures as another decoder does, and measures it.
package struct TimedImageDecoder: ImageDecoding {
  private let decoder: any ImageDecoding
  private let stopwatch: Stopwatch

  package init(_ decoder: any ImageDecoding, _ stopwatch: Stopwatch) {
    self.decoder = decoder
    self.stopwatch = stopwatch
  }

  /// Looking into a picture makes none.
  package func inspect(_ picture: PictureSource) async throws(ImagingError) -> PictureFacts {
    let start = stopwatch.now
    defer { stopwatch.add(.decoding, since: start) }
    return try await decoder.inspect(picture)
  }

  package func thumbnail(
    of picture: PictureSource,
    longestSide: Int
  ) async throws(ImagingError) -> MadeThumbnail {
    let start = stopwatch.now
    defer { stopwatch.add(.decoding, since: start) { $0.pictures += 1 } }
    return try await decoder.thumbnail(of: picture, longestSide: longestSide)
  }

  package func pixels(
    of picture: PictureSource,
    fitting box: PixelBox,
    extent: PictureExtent
  ) async throws(ImagingError) -> DecodedPixels {
    let start = stopwatch.now
    defer { stopwatch.add(.decoding, since: start) { $0.pictures += 1 } }
    return try await decoder.pixels(of: picture, fitting: box, extent: extent)
  }
}
