package import Models

/// Remembers which originals of a library an object store has, and which packs of thumbnails.
///
/// Only such originals give way on the disk while the library has an object store. Their rows stay: they are stored,
/// though not here.
package protocol ObjectRecording: Sendable {
  /// Which library this is, and its last change.
  func version() async throws(StoreError) -> LibraryVersion

  /// The originals on this disk that the object store lacks, in the order of their ids.
  func originalsToPut(after id: Int64, limit: Int) async throws(StoreError) -> [ObjectOriginal]

  /// Remembers that an object store has an original.
  ///
  /// - Throws: `.otherObjects` when the originals of the library are in another one.
  func notePut(_ hash: SHA256Digest, in store: String) async throws(StoreError)

  /// The originals that the object store has, in the order of their hashes in hexadecimal digits.
  func putOriginals(after hash: SHA256Digest?, limit: Int) async throws(StoreError)
    -> [ObjectOriginal]

  /// Forgets that the object store has an original: one that was there alone is not stored any more.
  func forgetPut(_ hash: SHA256Digest) async throws(StoreError)

  /// Those of some originals or packs that the library does not have, here or there.
  func unknown(_ hashes: [SHA256Digest], _ kind: ObjectKind) async throws(StoreError)
    -> [SHA256Digest]

  /// Moves thumbnails out of the database into packs, as soon as enough of them wait.
  ///
  /// A library whose thumbnails are files has nothing to move.
  ///
  /// - Throws: `.otherObjects` when the objects of the library are in another store.
  func packThumbnails() async throws(StoreError) -> PackedThumbnails

  /// Empties packs of which little is still needed: the next packs take what was left in them.
  func compactPacks() async throws(StoreError)

  /// The original of an image that the object store has, here as well or not; nil when it has none.
  func putOriginal(imageID: Int64) async throws(StoreError) -> StoredOriginal?

  /// An image whose original has a hash, which the object store alone has; nil when there is none.
  func image(withAwayOriginal hash: SHA256Digest) async throws(StoreError) -> Int64?
}

/// How many thumbnails have gone into packs.
package struct PackedThumbnails: Sendable, Equatable {
  package var packs: Int
  package var thumbnails: Int
  /// Of the packs.
  package var bytes: Int

  package init(packs: Int = 0, thumbnails: Int = 0, bytes: Int = 0) {
    self.packs = packs
    self.thumbnails = thumbnails
    self.bytes = bytes
  }
}
