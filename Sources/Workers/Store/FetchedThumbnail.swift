package import FoundationEssentials
package import Models

/// A thumbnail that has come whole and was found to be a picture, or was made from one.
package struct FetchedThumbnail: Sendable, Equatable {
  package var imageID: Int64
  /// The address that was asked for: its own, or that of the original that it was made from.
  package var address: WebAddress
  package var validators: Validators
  package var info: PictureInfo
  package var bytes: [UInt8]
  package var fetched: Date
  /// When its server is asked whether it has changed.
  package var checkDate: Date
  /// SHA-256 of the picture that it was made from; nil when it is as it came.
  package var sourceSHA256: String?

  package init(
    imageID: Int64,
    address: WebAddress,
    validators: Validators,
    info: PictureInfo,
    bytes: [UInt8],
    fetched: Date,
    checkDate: Date,
    sourceSHA256: String? = nil
  ) {
    self.imageID = imageID
    self.address = address
    self.validators = validators
    self.info = info
    self.bytes = bytes
    self.fetched = fetched
    self.checkDate = checkDate
    self.sourceSHA256 = sourceSHA256
  }
}
