package import Models

/// All that a library knows of an image and that a copy of the library keeps, in the form in which it is stored.
package struct ImageState: Sendable, Equatable {
  /// The stored thumbnail.
  package struct Thumbnail: Sendable, Equatable {
    package var info: PictureInfo
    /// Whether it was made from the original, because the feed names none.
    package var isMade: Bool
    /// Whether the feed names another one now.
    package var isStale: Bool
    /// Where its bytes are in a sealed pack; nil when they are in none.
    package var pack: PackReference?
    /// The bytes of its `ColourGrid`; nil when they are not known yet.
    package var colours: [UInt8]?

    package init(
      info: PictureInfo,
      isMade: Bool,
      isStale: Bool,
      pack: PackReference? = nil,
      colours: [UInt8]? = nil
    ) {
      self.info = info
      self.isMade = isMade
      self.isStale = isStale
      self.pack = pack
      self.colours = colours
    }
  }

  /// Where a thumbnail is in a sealed pack of thumbnails.
  package struct PackReference: Sendable, Equatable {
    /// The hash of the whole pack.
    package var hash: SHA256Digest
    /// Of the first byte.
    package var offset: Int

    package init(hash: SHA256Digest, offset: Int) {
      self.hash = hash
      self.offset = offset
    }
  }

  /// The stored original.
  package struct Original: Sendable, Equatable {
    package var info: PictureInfo
    /// Whether the feed names another one now.
    package var isStale: Bool

    package init(info: PictureInfo, isStale: Bool) {
      self.info = info
      self.isStale = isStale
    }
  }

  package var id: Int64
  /// The number of its last change.
  package var number: Int64
  package var feedID: Int64
  /// Its order in the feed's document.
  package var position: Int64
  /// What `newest` sorts by, in seconds since 1970.
  package var date: Int64
  /// When a sync first saw it, in seconds since 1970.
  package var firstSeen: Int64
  package var fields: ImageFields
  /// The id of the entry that it is from; nil when it has none.
  package var entryID: String?
  /// Whether its document has used the id of its entry twice.
  package var isEntryAmbiguous: Bool
  /// Whether it is missing in a feed that lists all of its images.
  package var isGone: Bool
  /// Nil when none is stored, or when it is damaged.
  package var thumbnail: Thumbnail?
  /// Nil when none is stored, or when it is damaged.
  package var original: Original?
  /// The manifest that contains it.
  package var manifest: Manifest?

  package init(
    id: Int64,
    number: Int64,
    feedID: Int64,
    position: Int64,
    date: Int64,
    firstSeen: Int64,
    fields: ImageFields,
    entryID: String?,
    isEntryAmbiguous: Bool,
    isGone: Bool,
    thumbnail: Thumbnail? = nil,
    original: Original? = nil
  ) {
    self.id = id
    self.number = number
    self.feedID = feedID
    self.position = position
    self.date = date
    self.firstSeen = firstSeen
    self.fields = fields
    self.entryID = entryID
    self.isEntryAmbiguous = isEntryAmbiguous
    self.isGone = isGone
    self.thumbnail = thumbnail
    self.original = original
  }

  /// About how many bytes its texts have.
  package var textBytes: Int { fields.textBytes + (entryID?.utf8.count ?? 0) }
}
