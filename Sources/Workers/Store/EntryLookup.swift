import Models

/// An entry of a document, and what to look it up by.
package struct EntryLookup: Sendable {
  package struct Keys: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let entryID = Keys(rawValue: 1)
    package static let original = Keys(rawValue: 2)
    package static let thumbnail = Keys(rawValue: 4)
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

/// The stored images that an entry may be, by what they were looked up by; empty where nothing was looked up.
package struct EntryCandidates: Sendable {
  /// What was looked up.
  package var keys: EntryLookup.Keys = []
  /// Those with the entry's id, by position.
  package var withEntryID: [StoredImage] = []
  /// Those with the original's address of each image, in whatever spelling, by position.
  package var withOriginal: [[StoredImage]] = []
  /// For each image the one without an entry's id that has its thumbnail's address; nil when several share it,
  /// since such a thumbnail tells none apart.
  package var withThumbnail: [StoredImage?] = []

  package init() {}

  /// Adds what a second look-up has found.
  package mutating func add(_ other: EntryCandidates) {
    keys.formUnion(other.keys)
    if other.keys.contains(.original) { withOriginal = other.withOriginal }
    if other.keys.contains(.thumbnail) { withThumbnail = other.withThumbnail }
  }
}

/// A stored image, as far as a document is compared with it.
package struct StoredImage: Sendable, Equatable {
  package var id: Int64
  /// Where it stands in its feed's document (`PositionAssigner`).
  package var position: Int64
  /// Seconds since 1970.
  package var firstSeen: Int64
  package var isGone: Bool
  /// Whether a document has used its entry's id twice.
  package var isAmbiguous: Bool
  /// Whether a picture is stored that no server is asked about, because the image had left the feed's documents.
  package var isUnasked: Bool
  /// Whether its thumbnail, named or made, is stored and right.
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
