package import FoundationEssentials
package import Models

/// The file of an arriving original, which only the task that opened it may write.
///
/// `commit`, `suspend` or `discard` ends it. After that, further calls of these have no effect.
package protocol OriginalWriting: AnyObject {
  /// The file's path, from which others may read while more bytes arrive.
  var path: String { get }

  /// The part that an earlier attempt left; nil when there is nothing to resume.
  var kept: KeptOriginal? { get }

  /// SHA-256 of the bytes so far, in lower-case hexadecimal digits.
  var sha256: String { get }

  /// Makes room for the file's length. If the library is bounded (`StorageBounds`), other originals are removed.
  ///
  /// They give way to bytes that arrive, not to bytes that a server promises. A promise takes only free room. Nothing
  /// gives way to an original that is fetched for its thumbnail only; it may exceed `StorageBounds.keep` while it is
  /// here.
  ///
  /// - Parameters:
  ///   - bytes: The length that the file needs to have from now on.
  ///   - total: The length of the whole, as the server declares it; nil when it does not.
  ///   - purpose: Why it is fetched.
  /// - Returns: The length that the file may have: the whole length if it has room without removing originals for it.
  /// - Throws: `.bounded` when removing originals cannot make room for the whole, and `.noFreeRoom` when it is fetched
  ///   for its thumbnail and the disk has no room; none of them is removed then.
  @discardableResult
  func makeRoom(
    for bytes: Int,
    of total: Int?,
    purpose: OriginalPurpose
  ) async throws(StoreError) -> Int

  /// Continues after the kept part, which is read back in pieces.
  func resume(_ body: ([UInt8]) -> Void) async throws(StoreError)

  /// Empties the file, and starts with the first byte of a version.
  func restart(_ version: OriginalVersion) async throws(StoreError)

  /// Adds bytes at the end.
  func append(_ bytes: [UInt8]) async throws(StoreError)

  /// Flushes the whole file to the disk, names it and then assigns it to its image.
  ///
  /// With `doubts`, an original that is stored stays, and the file is kept beside it.
  ///
  /// - Returns: The original as it is stored now.
  /// - Throws: when the file cannot be flushed; an original that was stored before stays.
  func commit(_ receipt: OriginalReceipt) async throws(StoreError) -> StoredOriginal

  /// Flushes the bytes so far to the disk for a later attempt; deletes a part that cannot be resumed.
  func suspend() async

  /// Deletes the bytes so far, and the kept part.
  func discard() async
}

/// Why an original is fetched, which decides which others give way to it.
package enum OriginalPurpose: Sendable {
  /// Somebody waits for it, so any other gives way to it.
  case viewing
  /// A sync fetches it ahead to keep it, so only those give way that were last viewed before the date of its image.
  case keeping
  /// A sync makes a thumbnail from it and then deletes it, so none gives way, and it does not count in the bound.
  case thumbnail
}

/// The part of an original that an earlier attempt left, from which a later one resumes.
package struct KeptOriginal: Sendable, Equatable {
  package var version: OriginalVersion
  /// The number of its first bytes that are known to be on the disk.
  package var length: Int
  /// Whether it was fetched for a thumbnail only.
  package var isPassing: Bool

  package init(version: OriginalVersion, length: Int, isPassing: Bool = false) {
    self.version = version
    self.length = length
    self.isPassing = isPassing
  }
}

/// The version of an original to which its first bytes belong; only the rest of the same version may follow.
package struct OriginalVersion: Sendable, Equatable {
  /// The address that was requested.
  package var address: WebAddress
  package var validators: Validators
  /// The validator for requesting the rest; nil when the rest cannot be requested.
  package var rangeValidator: String?
  /// The length of the whole in bytes; nil when the server does not say.
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

/// The facts about a completely fetched original that are stored.
package struct OriginalReceipt: Sendable, Equatable {
  /// The format, size and length of the file.
  package var info: PictureInfo
  /// The address that was requested.
  package var address: WebAddress
  /// The validators for the next request.
  package var validators: Validators
  /// When it arrived.
  package var arrived: Date
  /// The date from which its server is asked for a change.
  package var checkDate: Date
  /// When it was last viewed; nil for an original that was fetched ahead.
  package var lookedAt: Date?
  /// Whether it came by a redirect.
  package var isRedirected = false
  /// The reasons why it may not be the same picture as the stored one, beside which it is kept then.
  package var doubts: [SuccessorDoubt] = []
  /// The images whose originals the same bytes have replaced, and that get them back.
  package var misled: [Int64] = []

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
  /// Whether another original should be fetched.
  ///
  /// The feed has named another address since, or has declared that the picture is new.
  package var isStale: Bool
  /// The address from which it was fetched; nil when it is unknown.
  package var address: WebAddress?
  /// The validators with which its server is asked for a change.
  package var validators: Validators
  /// The date from which its server is asked for a change; nil when it is not asked.
  package var checkDate: Date?
  /// Whether the file is known to differ from the stored content.
  package var isDamaged: Bool
  /// Whether it is only in the object store, without a file on this disk.
  package var isAway = false
  /// Whether it is the user's own file in a folder that is a feed, which the library must neither change nor link.
  package var isInPlace = false
  /// The file of an original in such a folder, in which its content was checked.
  ///
  /// Others may write to the folder, so the path may lead to another file by now.
  package var file: OpenedFile?

  /// Its bytes, for a decoder.
  package var picture: PictureSource { file.map { .opened($0) } ?? .file(path: path) }

  /// Whether it can be used without asking a server.
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

/// An open file, which is closed with the last reference to it.
package final class OpenedFile: Sendable {
  /// The path at which it was opened.
  package let path: String
  package let descriptor: Int32
  /// When its content was last changed before it was checked: seconds since 1970, and nanoseconds.
  package let changed: (seconds: Int, nanoseconds: Int)
  private let close: @Sendable (Int32) -> Void

  package init(
    path: String,
    descriptor: Int32,
    changed: (seconds: Int, nanoseconds: Int),
    close: @escaping @Sendable (Int32) -> Void
  ) {
    self.path = path
    self.descriptor = descriptor
    self.changed = changed
    self.close = close
  }

  deinit { close(descriptor) }
}

extension OpenedFile: Equatable {
  package static func == (one: OpenedFile, other: OpenedFile) -> Bool { one === other }
}

/// The limits of the disk space for a library's originals.
///
/// Originals that were last viewed the longest ago are removed to make room before new ones are written. Originals of
/// pinned images are never removed, and neither are those that a running program shows. Thumbnails are never removed
/// either, and do not count. `Documentation/Library.md` has all rules.
package struct StorageBounds: Sendable, Equatable {
  /// The most bytes of originals, including partial files; nil for no limit.
  package var keep: Int?
  /// The bytes of the disk that originals leave free; nil for no limit.
  package var keepFree: Int?

  package init(keep: Int? = nil, keepFree: Int? = nil) {
    self.keep = keep
    self.keepFree = keepFree
  }

  /// Whether there is no limit.
  package var isNone: Bool { keep == nil && keepFree == nil }
}
