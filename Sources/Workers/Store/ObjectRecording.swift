package import Models

/// Records which originals and which packs of thumbnails of a library are in an object store.
///
/// If the library has an object store, only such originals are removed from the disk to make room. Their rows stay,
/// because these originals are still stored.
package protocol ObjectRecording: Sendable {
  /// The identity of the library, and its last change.
  func version() async throws(StoreError) -> LibraryVersion

  /// The originals on this disk that are not in the object store, by id.
  func originalsToPut(after id: Int64, limit: Int) async throws(StoreError) -> [ObjectOriginal]

  /// Records that an object store has an original.
  ///
  /// - Throws: `.otherObjects` when the originals of the library are in another store.
  func notePut(_ hash: SHA256Digest, in store: String) async throws(StoreError)

  /// The originals in the object store, ordered by their hashes in hexadecimal digits.
  func putOriginals(after hash: SHA256Digest?, limit: Int) async throws(StoreError)
    -> [ObjectOriginal]

  /// Records that the object store lost an original; if it existed only there, it is not stored any more.
  func forgetPut(_ hash: SHA256Digest) async throws(StoreError)

  /// The originals that images lack because neither this disk nor the object store is known to have them, ordered as
  /// above.
  func lostOriginals(after hash: SHA256Digest?, limit: Int) async throws(StoreError)
    -> [ObjectOriginal]

  /// Records that the object store has a lost original: its images have it again.
  func noteFound(_ original: ObjectOriginal, in store: String) async throws(StoreError)

  /// The given originals or packs that the library does not have anywhere.
  func unknown(_ hashes: [SHA256Digest], _ kind: ObjectKind) async throws(StoreError)
    -> [SHA256Digest]

  /// Moves thumbnails from the database into packs, if enough of them are waiting.
  ///
  /// A library that stores thumbnails in files has nothing to move.
  ///
  /// - Throws: `.otherObjects` when the objects of the library are in another store.
  func packThumbnails() async throws(StoreError) -> PackedThumbnails

  /// Empties packs of which only a small part is needed, and moves that part into the next packs.
  func compactPacks() async throws(StoreError)

  /// The original of an image that is in the object store, and perhaps on this disk; nil if it is not.
  func putOriginal(imageID: Int64) async throws(StoreError) -> StoredOriginal?

  /// An image whose original has this hash and is only in the object store; nil if there is none.
  func image(withAwayOriginal hash: SHA256Digest) async throws(StoreError) -> Int64?
}

/// The number and size of the thumbnails that were moved into packs.
package struct PackedThumbnails: Sendable, Equatable {
  package var packs: Int
  package var thumbnails: Int
  /// The size of the packs in bytes.
  package var bytes: Int

  package init(packs: Int = 0, thumbnails: Int = 0, bytes: Int = 0) {
    self.packs = packs
    self.thumbnails = thumbnails
    self.bytes = bytes
  }
}
