import Models
import TestSupport
import Workers

extension StoredOriginal {
  static func sample(
    imageID: Int64,
    info: PictureInfo = .jpegSample,
    sha256: String = "00ff",
    isStale: Bool = false,
    address: WebAddress? = nil,
    validators: Validators = Validators()
  ) -> StoredOriginal {
    StoredOriginal(
      path: "/originals/\(imageID)",
      sha256: sha256,
      info: info,
      isStale: isStale,
      address: address,
      validators: validators
    )
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
