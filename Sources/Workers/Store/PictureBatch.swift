package import FoundationEssentials
package import Models

/// The outcomes of requested pictures, to be stored in one transaction.
package struct PictureBatch: Sendable, Equatable {
  /// Those that were missing.
  package var new: [FetchedThumbnail]
  /// Those that are no longer what is stored of the same address: with it, the picture has changed.
  package var changed: [FetchedThumbnail]
  package var unchanged: [UnchangedPicture]
  package var failed: [FailedPicture]

  package init(
    new: [FetchedThumbnail] = [],
    changed: [FetchedThumbnail] = [],
    unchanged: [UnchangedPicture] = [],
    failed: [FailedPicture] = []
  ) {
    self.new = new
    self.changed = changed
    self.unchanged = unchanged
    self.failed = failed
  }

  /// How many thumbnails it says something of.
  package var count: Int { new.count + changed.count + unchanged.count + failed.count }
}

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

/// A stored thumbnail that its server was asked about and still has.
package struct UnchangedPicture: Sendable, Equatable {
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
