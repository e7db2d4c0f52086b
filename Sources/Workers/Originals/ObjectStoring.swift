package import FoundationEssentials
package import Models

/// Keeps originals, and packs of thumbnails, in an object store (S3), each under its hash.
///
/// It knows nothing of a library; what a library has put there is in its own records (`ObjectRecording`).
package protocol ObjectStoring: Sendable {
  /// What people call it: `s3://bucket/prefix`.
  var name: String { get }

  /// To which addresses its transfers may connect.
  var reach: NetworkReach { get }

  /// Puts an original, unless an object of its hash and length is there; returns when the store has it.
  ///
  /// - Throws: also when the file is not what its hash says.
  func put(_ original: ObjectOriginal) async throws(StoreError)

  /// Puts a pack; returns when the store has it.
  ///
  /// - Throws: also when the file is not what its hash says.
  func put(_ pack: ObjectPack) async throws(StoreError)

  /// Reads a part of a pack; less where the pack ends, and nil when it is missing.
  func bytes(ofPack hash: SHA256Digest, in range: Range<Int>) async throws(StoreError) -> [UInt8]?

  /// The address of an original that needs no login, and expires after some time.
  ///
  /// - Throws: when the user has set no credentials.
  func address(of hash: SHA256Digest, for time: Duration) throws(StoreError) -> WebAddress

  /// A page of the objects of a kind, in the order of their hashes in hexadecimal digits.
  ///
  /// The marker is `ObjectPage.next` of the page before; nil for the first.
  func objects(_ kind: ObjectKind, behind marker: String?) async throws(StoreError) -> ObjectPage

  /// The length of an original in bytes; nil when it is missing.
  func length(of hash: SHA256Digest) async throws(StoreError) -> Int?

  /// Deletes an object; one that is missing is no error.
  func delete(_ hash: SHA256Digest, _ kind: ObjectKind) async throws(StoreError)

  /// Notes in the store that the objects are those of a library, unless another one was first.
  ///
  /// - Throws: `.otherLibrary` when they are those of another one.
  func claim(for library: String) async throws(StoreError)
}

/// What an object of an object store has.
package enum ObjectKind: Sendable, CaseIterable {
  case original
  /// Thumbnails, one behind another.
  case pack
}

/// A pack of thumbnails that goes to an object store.
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
  /// When it was put, by the clock of the store.
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
  /// Where the next page begins; nil behind the last.
  package var next: String?

  package init(objects: [StoredObject], next: String?) {
    self.objects = objects
    self.next = next
  }
}

/// An original that goes to an object store, or that is there.
package struct ObjectOriginal: Sendable, Equatable {
  /// The store's number of its row.
  package var id: Int64
  /// The path of its file in the library.
  package var path: String
  package var hash: SHA256Digest
  package var format: ImageFormat
  package var bytes: Int
  /// The images whose original it is.
  package var imageIDs: [Int64]
  /// Whether the object store alone has it.
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
