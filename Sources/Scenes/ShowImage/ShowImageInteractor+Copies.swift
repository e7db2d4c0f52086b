import Models
import Workers

/// Stored bytes, and copies of them where a person wants them.
extension ShowImageInteractor {
  func export(
    thumbnailOf image: WebImage,
    to destination: ExportDestination?
  ) throws(RequestFailure) {
    guard let destination else { return }
    guard let bytes = try thumbnailBytes(of: image) else { throw .noThumbnail(imageID: image.id) }
    try export(.thumbnail(bytes), to: destination)
  }

  func thumbnailBytes(of image: WebImage) throws(RequestFailure) -> [UInt8]? {
    do {
      return try library.thumbnailBytes(imageID: image.id)
    } catch {
      throw .library(error, .show)
    }
  }

  func export(
    _ picture: ExportedPicture,
    to destination: ExportDestination
  ) throws(RequestFailure) {
    do {
      try exporter.export(picture, to: destination)
    } catch .closed {
      return
    } catch {
      throw .export(error)
    }
  }
}
