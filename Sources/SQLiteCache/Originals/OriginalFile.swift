import Crypto
import FoundationEssentials
import Models
import Workers

/// An original that is arriving in `partial/`; its hash is computed on the way.
final class OriginalFile: OriginalWriting {
  private let imageID: Int64
  private let library: SQLiteLibrary
  /// Nil when it has been committed or thrown away.
  private var file: PartialFile?
  private var hash = SHA256()
  private var count = 0

  init(_ file: PartialFile, imageID: Int64, library: SQLiteLibrary) {
    self.file = file
    self.imageID = imageID
    self.library = library
  }

  deinit { discard() }

  func append(_ bytes: [UInt8]) throws(StoreError) {
    try opened().write(bytes)
    hash.update(data: bytes)
    count += bytes.count
  }

  func commit(
    info: PictureInfo,
    from address: WebAddress,
    validators: Validators
  ) throws(StoreError) -> StoredOriginal {
    let file = try opened()
    try file.sync()
    var info = info
    info.bytes = count
    let arrived = ArrivedOriginal(
      imageID: imageID,
      file: file,
      sha256: hash.finalize().map { Self.hex($0) }.joined(),
      info: info,
      address: address,
      validators: validators
    )
    let stored = try library.keep(arrived, now: Date())
    self.file = nil
    return stored
  }

  /// The name goes before the lock does, so that who waits for the lock finds no file it is not on.
  func discard() {
    guard let file else { return }
    self.file = nil
    file.unlink()
  }

  private func opened() throws(StoreError) -> PartialFile {
    if let file { return file }
    let path = library.folder.partial(imageID: imageID)
    throw StoreError(reason: .other, path: path, message: "it has been ended already")
  }

  private static func hex(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return byte < 16 ? "0" + digits : digits
  }
}
