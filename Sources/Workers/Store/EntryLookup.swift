import Models

/// An entry of a document, with the keys to look up.
package struct EntryLookup: Sendable {
  package struct Keys: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let entryID = Keys(rawValue: 1)
    package static let original = Keys(rawValue: 2)
    package static let thumbnail = Keys(rawValue: 4)
    /// The other spellings of an entry's id that is an address.
    package static let respelled = Keys(rawValue: 8)
  }

  package var entryID: EntryID?
  package var images: [DocumentImage]
  package var keys: Keys

  package init(entryID: EntryID?, images: [DocumentImage], keys: Keys) {
    self.entryID = entryID
    self.images = images
    self.keys = keys
  }
}

/// The stored images that an entry may be, grouped by key; a group whose key was not looked up is empty.
package struct EntryCandidates: Sendable {
  /// The keys that were looked up.
  package var keys: EntryLookup.Keys = []
  /// The images with the entry's id, by position.
  package var withEntryID: [StoredImage] = []
  /// The images whose id is another spelling of the entry's id, by position.
  package var withRespelledID: [StoredImage] = []
  /// For each image, the stored images with its original's address in any spelling, by position.
  package var withOriginal: [[StoredImage]] = []
  /// For each image, the stored image without an entry id that has its thumbnail's address.
  ///
  /// Nil when several share the address, since the thumbnail does not distinguish them.
  package var withThumbnail: [StoredImage?] = []

  package init() {}

  /// Adds the results of a second look-up.
  package mutating func add(_ other: EntryCandidates) {
    keys.formUnion(other.keys)
    if other.keys.contains(.respelled) { withRespelledID = other.withRespelledID }
    if other.keys.contains(.original) { withOriginal = other.withOriginal }
    if other.keys.contains(.thumbnail) { withThumbnail = other.withThumbnail }
  }
}

/// The fields of a stored image that are compared with a document.
package struct StoredImage: Sendable, Equatable {
  package var id: Int64
  /// Its position in its feed's document (`PositionAssigner`).
  package var position: Int64
  /// Seconds since 1970.
  package var firstSeen: Int64
  package var isGone: Bool
  /// Whether a document has used its entry's id twice.
  package var isAmbiguous: Bool
  /// Whether it has a stored picture that is not checked with its server, because the image had left the documents.
  package var isUnasked: Bool
  /// Whether its thumbnail, fetched or made, is stored and right.
  package var hasThumbnail: Bool
  package var hasOriginal: Bool
  /// Nil when only its address identifies it.
  package var entryID: String?
  package var originalHash: Int64
  package var fields: ImageFields

  package init(
    id: Int64,
    position: Int64,
    firstSeen: Int64,
    isGone: Bool,
    isAmbiguous: Bool,
    isUnasked: Bool,
    hasThumbnail: Bool,
    hasOriginal: Bool,
    entryID: String?,
    originalHash: Int64,
    fields: ImageFields
  ) {
    self.id = id
    self.position = position
    self.firstSeen = firstSeen
    self.isGone = isGone
    self.isAmbiguous = isAmbiguous
    self.isUnasked = isUnasked
    self.hasThumbnail = hasThumbnail
    self.hasOriginal = hasOriginal
    self.entryID = entryID
    self.originalHash = originalHash
    self.fields = fields
  }
}
