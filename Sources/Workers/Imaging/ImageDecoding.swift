/// Looks into pictures and makes smaller ones of them; what comes from strangers harms only itself.
///
/// A picture that cannot be decoded costs that one call, never another one.
package protocol ImageDecoding: Sendable {
  /// What a picture is, without decoding more of it than its header.
  func inspect(_ picture: PictureSource) async throws(ImagingError) -> PictureFacts

  /// Makes a thumbnail that is good to be stored: turned as its orientation says, in sRGB, without
  /// metadata; of an animated picture its first frame.
  ///
  /// - Parameter longestSide: In pixels; a smaller picture keeps its size.
  func thumbnail(
    of picture: PictureSource,
    longestSide: Int
  ) async throws(ImagingError) -> MadeThumbnail

  /// Decodes a picture into pixels, turned as its orientation says, in sRGB.
  ///
  /// - Parameters:
  ///   - box: What the picture has to fit into; a smaller one keeps its size.
  ///   - extent: Whether a part of the picture will do.
  func pixels(
    of picture: PictureSource,
    fitting box: PixelBox,
    extent: PictureExtent
  ) async throws(ImagingError) -> DecodedPixels
}
