package import Models

/// Looks into pictures and makes smaller ones of them; what comes from strangers harms only itself.
///
/// A picture that cannot be decoded costs that one call, never another one.
package protocol ImageDecoding: Sendable {
  /// What a picture is, without decoding more of it than its header.
  func inspect(_ picture: PictureSource) async throws(ImagingError) -> PictureFacts

  /// Makes a thumbnail that is good to be stored: turned as its orientation says, in sRGB, without
  /// metadata; of an animated picture its first frame.
  ///
  /// - Parameters:
  ///   - picture: The picture.
  ///   - longestSide: In pixels; a smaller picture keeps its size.
  /// - Returns: WebP for what is transparent in places, else JPEG.
  /// - Throws: why there is none.
  func thumbnail(
    of picture: PictureSource,
    longestSide: Int
  ) async throws(ImagingError) -> MadeThumbnail

  /// Decodes a picture into pixels, turned as its orientation says, in sRGB.
  ///
  /// - Parameters:
  ///   - picture: The picture.
  ///   - box: What the picture has to fit into; a smaller one keeps its size.
  ///   - extent: Whether a part of the picture will do.
  /// - Returns: The pixels.
  /// - Throws: why there are none.
  func pixels(
    of picture: PictureSource,
    fitting box: PixelBox,
    extent: PictureExtent
  ) async throws(ImagingError) -> DecodedPixels
}
