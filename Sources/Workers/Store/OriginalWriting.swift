package import FoundationEssentials
package import Models

/// The file of an original that is arriving, for the task that opened it: no other task or process writes it meanwhile.
///
/// It ends with `commit`, `suspend` or `discard`; after that, another one of them does nothing.
package protocol OriginalWriting: AnyObject {
  /// The file's path, which may be read while more arrives.
  var path: String { get }

  /// The part that an earlier attempt left; nil when there is nothing to resume.
  var kept: KeptOriginal? { get }

  /// SHA-256 of the bytes so far, in lower-case hexadecimal digits.
  var sha256: String { get }

  /// Makes room for the file to have so many bytes; other originals give way when the library is bounded
  /// (`StorageBounds`).
  ///
  /// - Parameters:
  ///   - bytes: How many it may have from now on.
  ///   - isAhead: Whether a sync fetches it ahead: then only originals that were last looked at before the date of its
  ///     image give way, else all that may.
  /// - Throws: `.bounded` when not enough of them do, and none is taken away then.
  func makeRoom(for bytes: Int, isAhead: Bool) async throws(StoreError)

  /// Continues behind the part that is kept, which is read back in pieces.
  func resume(_ body: ([UInt8]) -> Void) async throws(StoreError)

  /// Empties the file, and begins with the first byte of a version.
  func restart(_ version: OriginalVersion) async throws(StoreError)

  /// Adds bytes at the end.
  func append(_ bytes: [UInt8]) async throws(StoreError)

  /// Brings the whole file to the disk, gives it its name and ties it to its image, in this order.
  ///
  /// - Returns: The original as it is stored now.
  /// - Throws: when it cannot be brought to the disk; what was stored before stays.
  func commit(_ receipt: OriginalReceipt) async throws(StoreError) -> StoredOriginal

  /// Brings the bytes so far to the disk for a later attempt; removes a part that cannot be resumed.
  func suspend() async

  /// Removes the bytes so far, and the part that was kept.
  func discard() async
}

/// What an earlier try left of an original, so that the rest can be asked for.
package struct KeptOriginal: Sendable, Equatable {
  package var version: OriginalVersion
  /// How many of its first bytes are known to be on the disk.
  package var length: Int

  package init(version: OriginalVersion, length: Int) {
    self.version = version
    self.length = length
  }
}

/// Which version of an original its first bytes belong to: only the rest of that same one may
/// follow them.
package struct OriginalVersion: Sendable, Equatable {
  /// The address it was asked for under.
  package var address: WebAddress
  package var validators: Validators
  /// What to make the asking for the rest depend on; nil when the rest cannot be asked for.
  package var rangeValidator: String?
  /// How many bytes the whole has; nil when the server does not say.
  package var total: Int?

  package init(
    address: WebAddress,
    validators: Validators = Validators(),
    rangeValidator: String? = nil,
    total: Int? = nil
  ) {
    self.address = address
    self.validators = validators
    self.rangeValidator = rangeValidator
    self.total = total
  }
}

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
  /// When it was last looked at; nil for one that was fetched ahead.
  package var lookedAt: Date?

  package init(
    info: PictureInfo,
    address: WebAddress,
    validators: Validators,
    arrived: Date,
    checkDate: Date,
    lookedAt: Date? = nil
  ) {
    self.lookedAt = lookedAt
    self.info = info
    self.address = address
    self.validators = validators
    self.arrived = arrived
    self.checkDate = checkDate
  }
}

/// An original on this disk, or in the library's object store.
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
  /// Whether the object store alone has it, so that there is no file.
  package var isAway = false

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

/// How much of the disk the originals of a library may take.
///
/// Originals that were last looked at the longest ago give way to new ones, before these are written. Originals of
/// pinned images never do; neither do thumbnails, which do not count. See `Documentation/Store.md`.
package struct StorageBounds: Sendable, Equatable {
  /// Bytes that originals may take, with the parts of those that arrive; nil for as many as there are.
  package var keep: Int?
  /// Bytes of the disk that they leave free; nil for none.
  package var keepFree: Int?

  package init(keep: Int? = nil, keepFree: Int? = nil) {
    self.keep = keep
    self.keepFree = keepFree
  }

  /// Whether there is no bound.
  package var isNone: Bool { keep == nil && keepFree == nil }
}
