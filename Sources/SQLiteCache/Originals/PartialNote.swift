import FoundationEssentials
import Glibc
import Models
import Workers

/// The note beside a partial file: what its bytes belong to, and how many are on the disk.
///
/// It is replaced as a whole, and written only after the bytes it tells of are on the disk; whoever
/// finds it can rely on it. One that cannot be read is none.
struct PartialNote {
  let path: String
  let folder: String

  /// Nil when there is none.
  func read() -> KeptOriginal? {
    // A note that cannot be read or understood only means to begin anew.
    guard case .file(let size) = try? FileSystem.kind(of: path), size <= Limits.noteBytes,
      let data = try? Data(contentsOf: URL(filePath: path)),
      let content = try? JSONDecoder().decode(Content.self, from: data)
    else { return nil }
    return content.kept
  }

  func write(_ kept: KeptOriginal) throws(StoreError) {
    let new = draft
    let file = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw StoreError(errno: errno, path: new) }
    defer { close(file) }
    let bytes: [UInt8]
    do { bytes = try [UInt8](JSONEncoder().encode(Content(kept))) } catch {
      throw StoreError(error, path: path)
    }
    try FileSystem.write(bytes, to: file, path: new)
    guard fsync(file) == 0 else { throw StoreError(errno: errno, path: new) }
    try FileSystem.move(new, to: path)
    try FileSystem.sync(folder: folder)
  }

  /// The name under which it is written.
  private var draft: String { path + ".new" }

  /// Takes away what one who was killed while writing it left: for the holder of the file alone.
  func removeDraft() throws(StoreError) { _ = try FileSystem.remove(draft) }

  /// Takes it away, so that not even a power cut brings it back.
  func remove() throws(StoreError) {
    if try FileSystem.remove(path) { try FileSystem.sync(folder: folder) }
  }

  /// Takes it away where it does no harm when a power cut brings it back.
  func drop() throws(StoreError) { _ = try FileSystem.remove(path) }

  /// How it is written: JSON, for people who look into the folder.
  private struct Content: Codable {
    var address: String
    var entityTag: String?
    var lastModified: String?
    var rangeValidator: String?
    var total: Int?
    var length: Int

    init(_ kept: KeptOriginal) {
      address = kept.version.address.text
      entityTag = kept.version.validators.entityTag
      lastModified = kept.version.validators.lastModified
      rangeValidator = kept.version.rangeValidator
      total = kept.version.total
      length = kept.length
    }

    /// Nil when it tells of nothing that could be gone on from.
    var kept: KeptOriginal? {
      guard let address = WebAddress(address), rangeValidator != nil, length > 0 else { return nil }
      let version = OriginalVersion(
        address: address,
        validators: Validators(entityTag: entityTag, lastModified: lastModified),
        rangeValidator: rangeValidator,
        total: total
      )
      return KeptOriginal(version: version, length: length)
    }
  }
}
