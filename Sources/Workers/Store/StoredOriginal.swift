package import FoundationEssentials
package import Models

/// An original on this disk.
package struct StoredOriginal: Sendable, Equatable {
  /// The absolute path of its file.
  package var path: String
  /// SHA-256 of the file, in lower-case hexadecimal digits.
  package var sha256: String
  package var info: PictureInfo
  /// Whether another one is to be had: the feed has named another address since, or has said that
  /// the picture is a new one.
  package var isStale: Bool
  /// The address it came from; nil when that is not known.
  package var address: WebAddress?
  /// What its server gave to ask with whether it has changed.
  package var validators: Validators
  /// From when on its server is asked whether it has changed; nil when it is not asked.
  package var checkDate: Date?
  /// Whether the file is known not to be what was stored.
  package var isDamaged: Bool

  /// Whether it can be handed out without asking anybody.
  package var isRight: Bool { !isStale && !isDamaged }

  package init(
    path: String,
    sha256: String,
    info: PictureInfo,
    isStale: Bool,
    address: WebAddress? = nil,
    validators: Validators = Validators(),
    checkDate: Date? = nil,
    isDamaged: Bool = false
  ) {
    self.path = path
    self.sha256 = sha256
    self.info = info
    self.isStale = isStale
    self.address = address
    self.validators = validators
    self.checkDate = checkDate
    self.isDamaged = isDamaged
  }
}
