package import FoundationEssentials
package import Models

/// The results of requested pictures, to be stored in one transaction.
package struct PictureBatch: Sendable, Equatable {
  /// Thumbnails that were missing.
  package var new: [FetchedThumbnail]
  /// Thumbnails that differ from the stored ones of the same address.
  package var changed: [FetchedThumbnail]
  /// Thumbnails that are kept beside the stored ones, because of their `doubts`.
  package var doubtful: [FetchedThumbnail] = []
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

  /// The number of thumbnails in the batch.
  package var count: Int {
    new.count + changed.count + doubtful.count + unchanged.count + failed.count
  }
}

/// A thumbnail that was fetched completely and is a picture, or that was made from an original.
package struct FetchedThumbnail: Sendable, Equatable {
  package var imageID: Int64
  /// The address that was requested: its own, or that of the original from which it was made.
  package var address: WebAddress
  package var validators: Validators
  package var info: PictureInfo
  package var bytes: [UInt8]
  package var fetched: Date
  /// The date from which its server is asked for a change.
  package var checkDate: Date
  /// SHA-256 of the picture from which it was made; nil when it is stored as it arrived.
  package var sourceSHA256: String?
  /// Whether it came by a redirect.
  package var isRedirected = false
  /// Whether another thumbnail is stored, whose place it takes.
  package var replacesOther = false
  /// The stored thumbnail whose place it takes, which is kept for a time.
  package var former: [UInt8]?
  /// The reasons why it may not be the same picture as the stored one.
  package var doubts: [SuccessorDoubt] = []
  /// The images whose thumbnails the same bytes have replaced, and that get them back.
  package var misled: [Int64] = []

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

/// A stored thumbnail that is unchanged on its server.
package struct UnchangedPicture: Sendable, Equatable {
  package var imageID: Int64
  /// The address that was requested.
  package var address: WebAddress
  /// The validators for the next request; nil to keep the stored ones.
  package var validators: Validators?
  /// The date from which its server is asked again.
  package var checkDate: Date
  /// Whether the answer came by a redirect.
  package var isRedirected = false
  /// The hexadecimal SHA-256 hash of its bytes, or of those that it was made from, if they have come again.
  ///
  /// A successor beside it is outdated then, unless it has these bytes itself: the stored picture may have become the
  /// successor since it was compared.
  package var repeatedSHA256: String?

  package init(imageID: Int64, address: WebAddress, validators: Validators?, checkDate: Date) {
    self.imageID = imageID
    self.address = address
    self.validators = validators
    self.checkDate = checkDate
  }
}

/// A picture that could not be fetched or made, to be stored as a failure.
package struct FailedPicture: Sendable, Equatable {
  package var imageID: Int64
  /// The address that was requested; another address is a new attempt.
  package var address: WebAddress
  package var failureClass: FailureClass
  /// The reason, in words.
  package var reason: String
  package var failed: Date
  /// The end of its host's pause; nil to let `FailureExpiry` determine the next attempt.
  package var pausedUntil: Date?
  /// Whether a thumbnail that a feed names can be made from the original instead, because there is a decoder.
  package var canBeMade = false

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

  /// The date of the next attempt, after a number of failures of this class in a row.
  package func retryDate(tries: Int) -> Date {
    pausedUntil ?? FailureExpiry.retryDate(failureClass, tries: tries, failed: failed)
  }
}
