import Models
import Workers

/// Stored bytes, and copies of them where a person wants them.
extension ShowImageInteractor {
  func export(
    thumbnailOf image: WebImage,
    to destination: ExportDestination?
  ) throws(RequestFailure) {
    guard let destination else { return }
    guard let bytes = try thumbnailBytes(of: image) else {
      throw .noThumbnail(imageID: image.id, isDamaged: true)
    }
    try export(.thumbnail(bytes), to: destination)
  }

  /// Nil when they are not what was stored, which is remembered then.
  func thumbnailBytes(of image: WebImage) throws(RequestFailure) -> [UInt8]? {
    do {
      if let bytes = try library.thumbnailBytes(imageID: image.id) { return bytes }
    } catch {
      throw .library(error, .show)
    }
    remember(.thumbnail(imageID: image.id))
    return nil
  }

  func remember(_ damaged: StoredOriginal, of image: WebImage) {
    remember(.original(path: damaged.path, imageIDs: [image.id]))
  }

  /// A library that cannot be written is shown all the same; the next look finds the damage again.
  private func remember(_ damaged: CheckedThing) {
    do { try marker.mark(damaged, as: .damaged) } catch {}
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
