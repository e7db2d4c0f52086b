package import FoundationEssentials
package import Models

/// A picture that could not be had, for the library to remember.
package struct FailedPicture: Sendable, Equatable {
  package var imageID: Int64
  /// The address it was asked for under: another one is another try.
  package var address: WebAddress
  package var failureClass: FailureClass
  /// Why, in words.
  package var reason: String
  package var failed: Date
  /// Until when its host does not want to be asked; nil leaves the next try to `FailureExpiry`.
  package var pausedUntil: Date?

  package init(
    imageID: Int64,
    address: WebAddress,
    failureClass: FailureClass,
    reason: String,
    failed: Date,
    pausedUntil: Date? = nil
  ) {
    self.imageID = imageID
    self.address = address
    self.failureClass = failureClass
    self.reason = reason
    self.failed = failed
    self.pausedUntil = pausedUntil
  }

  /// When it is asked for again, after so many failures of this class in a row.
  package func retryDate(tries: Int) -> Date {
    pausedUntil ?? FailureExpiry.retryDate(failureClass, tries: tries, failed: failed)
  }
}
