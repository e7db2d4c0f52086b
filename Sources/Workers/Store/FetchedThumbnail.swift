package import FoundationEssentials
package import Models

/// A thumbnail that has come whole and was found to be a picture.
package struct FetchedThumbnail: Sendable, Equatable {
  package var imageID: Int64
  /// The address it was asked for under.
  package var address: WebAddress
  package var validators: Validators
  package var info: PictureInfo
  package var bytes: [UInt8]
  package var fetched: Date
  /// When its server is asked whether it has changed.
  package var checkDate: Date

  package init(
    imageID: Int64,
    address: WebAddress,
    validators: Validators,
    info: PictureInfo,
    bytes: [UInt8],
    fetched: Date,
    checkDate: Date
  ) {
    self.imageID = imageID
    self.address = address
    self.validators = validators
    self.info = info
    self.bytes = bytes
    self.fetched = fetched
    self.checkDate = checkDate
  }
}
