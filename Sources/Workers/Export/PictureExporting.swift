/// Writes copies of stored pictures where a person wants them.
package protocol PictureExporting: Sendable {
  /// Copies a picture, whole or not at all.
  func export(
    _ picture: ExportedPicture,
    to destination: ExportDestination
  ) throws(ExportError)
}
