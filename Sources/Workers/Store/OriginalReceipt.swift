package import FoundationEssentials
package import Models

/// What is remembered of an original that has arrived whole.
package struct OriginalReceipt: Sendable, Equatable {
  /// What the file was found to be.
  package var info: PictureInfo
  /// The address it was asked for under.
  package var address: WebAddress
  /// What to ask with next time.
  package var validators: Validators
  /// When it arrived.
  package var arrived: Date
  /// From when on its server is asked whether it has changed.
  package var checkDate: Date

  package init(
    info: PictureInfo,
    address: WebAddress,
    validators: Validators,
    arrived: Date,
    checkDate: Date
  ) {
    self.info = info
    self.address = address
    self.validators = validators
    self.arrived = arrived
    self.checkDate = checkDate
  }
}
