package import FoundationEssentials
package import Models

/// Keeps originals, and packs of thumbnails, in an object store (S3), each under its hash.
///
/// It does not know the library. The library records its own objects (`ObjectRecording`).
package protocol ObjectStoring: Sendable {
  /// The name for users: `s3://bucket/prefix`.
  var name: String { get }

  /// The addresses to which its transfers may connect.
  var reach: NetworkReach { get }

  /// Uploads an original, unless an object with its hash and length exists; returns when the store has it.
  ///
  /// - Throws: also when the file does not match its hash.
  func put(_ original: ObjectOriginal) async throws(StoreError)

  /// Uploads a pack; returns when the store has it.
  ///
  /// - Throws: also when the file does not match its hash.
  func put(_ pack: ObjectPack) async throws(StoreError)

  /// Reads a part of a pack; the result is shorter at the pack's end, and nil if the pack is missing.
  func bytes(ofPack hash: SHA256Digest, in range: Range<Int>) async throws(StoreError) -> [UInt8]?

  /// An address of an original that works without a login until it expires.
  ///
  /// - Throws: when the user has not set credentials.
  func address(of hash: SHA256Digest, for time: Duration) throws(StoreError) -> WebAddress

  /// A page of the objects of a kind, ordered by their hashes in hexadecimal digits.
  ///
  /// The marker is `ObjectPage.next` of the previous page; nil for the first.
  func objects(_ kind: ObjectKind, behind marker: String?) async throws(StoreError) -> ObjectPage

  /// The length of an original in bytes, as a request for its content tells it; nil if it is missing.
  ///
  /// - Throws: also when the store refuses to say, or does not have the bucket.
  func length(of hash: SHA256Digest) async throws(StoreError) -> Int?

  /// Deletes an object; a missing object is not an error.
  func delete(_ hash: SHA256Digest, _ kind: ObjectKind) async throws(StoreError)

  /// Records in the store that its objects belong to a library, unless another library was first.
  ///
  /// - Throws: `.otherLibrary` when the objects belong to another library.
  func claim(for library: String) async throws(StoreError)

  /// The library whose objects these are, as `claim` has recorded it; nil if none has.
  func owner() async throws(StoreError) -> String?
}

/// The content of an object of an object store.
package enum ObjectKind: Sendable, CaseIterable {
  case original
  /// Thumbnails, one behind another.
  case pack
}

/// A pack of thumbnails to upload to an object store.
package struct ObjectPack: Sendable, Equatable {
  /// The path of its file.
  package var path: String
  package var hash: SHA256Digest
  package var bytes: Int

  package init(path: String, hash: SHA256Digest, bytes: Int) {
    self.path = path
    self.hash = hash
    self.bytes = bytes
  }
}

/// An object of an object store.
package struct StoredObject: Sendable, Equatable {
  package var hash: SHA256Digest
  package var bytes: Int
  /// When it was uploaded, by the clock of the store.
  package var changed: Date

  package init(hash: SHA256Digest, bytes: Int, changed: Date) {
    self.hash = hash
    self.bytes = bytes
    self.changed = changed
  }
}

/// Some of the objects of a store.
package struct ObjectPage: Sendable, Equatable {
  package var objects: [StoredObject]
  /// The marker for the next page; nil for the last page.
  package var next: String?
  /// The time of the list by the clock of the store; nil when the store does not say.
  package var date: Date?

  package init(objects: [StoredObject], next: String?, date: Date? = nil) {
    self.objects = objects
    self.next = next
    self.date = date
  }
}

/// An original to upload to an object store, or that is stored there.
package struct ObjectOriginal: Sendable, Equatable {
  /// The library's number of its row.
  package var id: Int64
  /// The path of its file in the library.
  package var path: String
  package var hash: SHA256Digest
  package var format: ImageFormat
  package var bytes: Int
  /// The images whose original it is.
  package var imageIDs: [Int64]
  /// Whether only the object store has it.
  package var isAway: Bool

  package init(
    id: Int64,
    path: String,
    hash: SHA256Digest,
    format: ImageFormat,
    bytes: Int,
    imageIDs: [Int64],
    isAway: Bool = false
  ) {
    self.id = id
    self.path = path
    self.hash = hash
    self.format = format
    self.bytes = bytes
    self.imageIDs = imageIDs
    self.isAway = isAway
  }
}
