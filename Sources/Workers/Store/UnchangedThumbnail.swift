package import FoundationEssentials
package import Models

/// A stored thumbnail that its server was asked about and still has.
package struct UnchangedThumbnail: Sendable, Equatable {
  package var imageID: Int64
  /// The address it was asked for under.
  package var address: WebAddress
  /// What to ask with next time; nil when that is what is stored.
  package var validators: Validators?
  /// When its server is asked again.
  package var checkDate: Date

  package init(imageID: Int64, address: WebAddress, validators: Validators?, checkDate: Date) {
    self.imageID = imageID
    self.address = address
    self.validators = validators
    self.checkDate = checkDate
  }
}
