import Models
import Workers

extension StoredOriginal {
  static func sample(
    imageID: Int64,
    info: PictureInfo = .jpegSample,
    isStale: Bool = false
  ) -> StoredOriginal {
    StoredOriginal(path: "/originals/\(imageID)", sha256: "00ff", info: info, isStale: isStale)
  }
}

extension PictureInfo {
  /// What is told of `PictureBytes.jpeg`.
  static let jpegSample = PictureInfo(
    format: .jpeg,
    bytes: PictureBytes.jpeg.count,
    width: 640,
    height: 480
  )
}
