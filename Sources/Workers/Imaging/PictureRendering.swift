package import Models

/// Makes pictures of other sizes and formats from stored ones, which may be pictures of strangers.
package protocol PictureRendering: Sendable {
  /// Renders a picture in sRGB, without metadata; of an animated picture, the first frame.
  ///
  /// - Parameters:
  ///   - picture: The picture, whole.
  ///   - rendering: Its region has to be within the picture.
  /// - Returns: The file, in the encoding that `rendering` names.
  /// - Throws: the reason why there is none.
  func rendered(
    _ picture: PictureSource,
    _ rendering: Rendering
  ) async throws(ImagingError) -> [UInt8]

  /// Finds the colours that stand for a picture until it arrives.
  ///
  /// - Returns: The bytes of a `ColourGrid`; transparent parts count as white.
  /// - Throws: the reason why there are none.
  func colourGrid(of picture: PictureSource) async throws(ImagingError) -> [UInt8]
}
